import { describe, expect, it } from "vitest";
import { at, failed, returned, start, subject } from "../../../test/meters/scripted-activity.ts";
import { tokenSupply } from "./token-supply.ts";

describe("the token_supply meter", () => {
  it("reads the supply of the contract and scales it by its decimals", () => {
    expect(tokenSupply.reads?.({}, subject)).toHaveLength(2);
    const results = [returned("uint256", 10n ** 24n), returned("uint8", 18)];
    const reading = tokenSupply.interpret?.({}, results, subject, at(start));
    expect(reading).toMatchObject({ value: 1_000_000, evidence: { supply: 10n ** 24n, decimals: 18 } });
  });

  it("does not read the decimals if they are configured", () => {
    expect(tokenSupply.reads?.({ decimals: 2 }, subject)).toHaveLength(1);
    const reading = tokenSupply.interpret?.({ decimals: 2 }, [returned("uint256", 250n)], subject, at(start));
    expect(reading).toMatchObject({ value: 2.5 });
  });

  it("reports a problem if the contract is not a token", () => {
    expect(tokenSupply.interpret?.({}, [failed, failed], subject, at(start))).toEqual({
      problem: "totalSupply() could not be read: execution reverted.",
    });
  });
});
