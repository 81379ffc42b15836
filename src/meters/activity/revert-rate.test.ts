import { describe, expect, it } from "vitest";
import { activity, call, subject, timed } from "../../../test/meters/scripted-activity.ts";
import { revertRate } from "./revert-rate.ts";

describe("the revert_rate meter", () => {
  const good = call();
  const bad = call({ receipt: { is_success: false, gas_used: 1n } });
  const measured = (calls: (typeof good)[]) =>
    revertRate.measure?.({ min_txs: 2 }, activity({ calls }), subject, undefined) ?? [];

  it("is the failed share of the transactions in the window with a receipt", () => {
    const window = measured([good, bad, good, good, call({ receipt: null })]).map((reading) =>
      timed(reading),
    );
    expect(revertRate.summarise?.({ min_txs: 2 }, window)).toBe(0.25);
  });

  it("has no value with fewer transactions than min_txs", () => {
    expect(revertRate.summarise?.({ min_txs: 2 }, [timed(measured([bad])[0])])).toBeNull();
  });
});
