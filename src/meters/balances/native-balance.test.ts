import { parseEther } from "viem";
import { describe, expect, it } from "vitest";
import { at, contract, failed, start, subject, word } from "../../../test/meters/scripted-activity.ts";
import { nativeBalance } from "./native-balance.ts";

describe("the native_balance meter", () => {
  it("measures whole units, with the exact amount as evidence", () => {
    expect(nativeBalance.reads?.({}, subject)).toEqual([{ kind: "balance", address: contract }]);
    const wei = parseEther("1.5");
    expect(nativeBalance.interpret?.({}, [word(wei)], subject, at(start))).toMatchObject({
      value: 1.5,
      evidence: { wei },
    });
  });

  it("reports a problem if the balance cannot be read", () => {
    expect(nativeBalance.interpret?.({}, [failed], subject, at(start))).toEqual({
      problem: "The balance could not be read: execution reverted.",
    });
  });
});
