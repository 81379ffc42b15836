import { parseEther } from "viem";
import { describe, expect, it } from "vitest";
import { at, contract, failed, start, subject, word } from "../../../test/meters/scripted-activity.ts";
import { nativeBalance } from "./native-balance.ts";

describe("the native balance", () => {
  it("is in whole units, with the exact amount beside it", () => {
    expect(nativeBalance.reads?.({}, subject)).toEqual([{ kind: "balance", address: contract }]);
    const wei = parseEther("1.5");
    expect(nativeBalance.interpret?.({}, [word(wei)], subject, at(start))).toMatchObject({
      value: 1.5,
      evidence: { wei },
    });
  });

  it("is a problem when it cannot be read", () => {
    expect(nativeBalance.interpret?.({}, [failed], subject, at(start))).toEqual({
      problem: "The balance could not be read: execution reverted.",
    });
  });
});
