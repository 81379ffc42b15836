import { decodeFunctionData, erc20Abi } from "viem";
import { describe, expect, it } from "vitest";
import {
  alice,
  at,
  contract,
  failed,
  nothing,
  returned,
  start,
  subject,
  token,
} from "../../../test/meters/scripted-activity.ts";
import { tokenBalance } from "./token-balance.ts";

const config = tokenBalance.config.parse({ token: token.toLowerCase() });
const balance = returned("uint256", 1_500_000n);

function interpret(given: typeof config, ...results: (typeof balance)[]) {
  return tokenBalance.interpret?.(given, results, subject, at(start));
}

describe("the token_balance meter", () => {
  it("reads the balance of the contract and the decimals of the token", () => {
    const reads = tokenBalance.reads?.(config, subject) ?? [];
    const calls = reads.map(
      (read) => read.kind === "call" && decodeFunctionData({ abi: erc20Abi, data: read.data }),
    );
    expect(reads.every((read) => read.kind === "call" && read.to === token)).toBe(true);
    expect(calls).toMatchObject([
      { functionName: "balanceOf", args: [contract] },
      { functionName: "decimals" },
    ]);
    expect(interpret(config, balance, returned("uint8", 6))).toMatchObject({
      value: 1.5,
      evidence: { token, holder: contract, balance: 1_500_000n, decimals: 6 },
    });
  });

  it("uses the configured holder and decimals", () => {
    const said = { token, holder: alice, decimals: 3 };
    expect(tokenBalance.reads?.(said, subject)).toHaveLength(1);
    expect(interpret(said, balance)).toMatchObject({ value: 1500, evidence: { holder: alice } });
  });

  it.each([
    ["a failed read", [failed, failed]],
    ["an address without code", [nothing, nothing]],
    ["no decimals", [balance, failed]],
    ["absurd decimals", [balance, returned("uint256", 2n ** 255n)]],
    ["no results", []],
  ])("reports a problem for %s", (_, results) => {
    expect(interpret(config, ...results)).toHaveProperty("problem");
  });

  it("is finite for the largest balance", () => {
    const most = returned("uint256", 2n ** 256n - 1n);
    expect(interpret({ token, decimals: 0 }, most)).toMatchObject({ value: 2 ** 256 });
  });

  it("rejects an address with a wrong checksum or length", () => {
    expect(tokenBalance.config.safeParse({ token: token.replace("A0b", "a0b") }).success).toBe(false);
    expect(tokenBalance.config.safeParse({ token: "0x12" }).success).toBe(false);
  });
});
