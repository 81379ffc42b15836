import { expect, test } from "vitest";
import { type Answers, pinnedWith, selectorOf } from "../../../test/support/answering-chain.ts";
import { probeContract } from "../classify/probes.ts";
import { marketOf } from "./lending-market.ts";

const address = "0x0000000000000000000000000000000000000001";
const [provider, data, asset, holder] = [2n, 3n, 4n, 5n];
const named = (number: bigint) => `0x${number.toString(16).padStart(40, "0")}`;

async function learn(answers: Answers, signatures: readonly string[] = []) {
  const pinned = pinnedWith(answers);
  const probes = await probeContract(pinned, address);
  return marketOf(pinned, { address, probes, selectors: signatures.map(selectorOf) });
}

test("a market of its own design is one whose totals of loans and deposits are consistent", async () => {
  const signatures = ["totalBorrowed()", "totalDeposited()"];
  const totals = (borrowed: bigint, supplied: bigint) =>
    learn(
      { [`${address} totalBorrowed()`]: borrowed, [`${address} totalDeposited()`]: supplied },
      signatures,
    );
  expect(await totals(40n, 100n)).toEqual({
    kind: "own",
    borrow_function: "totalBorrowed()",
    supply_function: "totalDeposited()",
  });
  expect(await totals(101n, 100n)).toBeNull();
  expect(await totals(0n, 0n)).toBeNull();
  expect(await learn({ [`${address} totalBorrowed()`]: 40n }, ["totalBorrowed()"])).toBeNull();
});

test("the deposit tokens of a pool of Aave are named by its data provider", async () => {
  const answers: Answers = {
    [`${address} ADDRESSES_PROVIDER()`]: provider,
    [`${address} getReservesList()`]: [32n, 1n, asset],
    [`${named(provider)} getPoolDataProvider()`]: data,
    [`${named(data)} getReserveTokensAddresses(address)`]: [holder, 6n, 7n],
  };
  expect(await learn(answers)).toEqual({
    kind: "aave_v3",
    data_provider: named(data),
    assets: [named(asset)],
    holders: [named(holder)],
  });
});

test("a market of Compound is known by its functions", async () => {
  expect(await learn({ [`${address} comptroller()`]: 9n })).toEqual({ kind: "compound_v2" });
});
