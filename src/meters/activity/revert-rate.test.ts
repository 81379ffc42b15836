import { describe, expect, it } from "vitest";
import { activity, call, subject, timed } from "../../../test/meters/scripted-activity.ts";
import { revertRate } from "./revert-rate.ts";

describe("the revert_rate meter", () => {
  const good = call();
  const bad = call({ receipt: { is_success: false, gas_used: 1n } });
  const measured = (calls: (typeof good)[], direction: "to" | "from" = "to") =>
    revertRate.measure?.({ min_txs: 2, direction }, activity({ calls }), subject, undefined) ?? [];

  it("is the failed share of the transactions in the window with a receipt", () => {
    const window = measured([good, bad, good, good, call({ receipt: null })]).map((reading) =>
      timed(reading),
    );
    expect(revertRate.summarise?.({ min_txs: 2, direction: "to" }, window)).toBe(0.25);
  });

  it("counts the transactions that a wallet sends if the direction is from", () => {
    const sent = call({ direction: "from", receipt: { is_success: false, gas_used: 1n } });
    expect(measured([good, sent]).map(({ value }) => value)).toEqual([0]);
    expect(measured([good, sent], "from").map(({ value }) => value)).toEqual([1]);
  });

  it("has no value with fewer transactions than min_txs", () => {
    expect(revertRate.summarise?.({ min_txs: 2, direction: "to" }, [timed(measured([bad])[0])])).toBeNull();
  });
});
