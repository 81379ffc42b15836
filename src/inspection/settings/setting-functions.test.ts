import { expect, test } from "vitest";
import { type Answers, pinnedWith, wordOf } from "../../../test/support/answering-chain.ts";
import { compileAbi } from "../../chains/evm/abi/abi.ts";
import { findSettingFunctions } from "./setting-functions.ts";

const address = "0x0000000000000000000000000000000000000001";

async function find(declarations: readonly string[], answers: Answers, isLeftOut = (_name: string) => false) {
  const read = compileAbi(declarations.map((declaration) => `function ${declaration}`));
  if (!read.ok) throw new Error(read.problem);
  return findSettingFunctions(pinnedWith(answers), { address, abi: read.abi, isLeftOut });
}

const oracle = "oracle() view returns (address)";

test("functions that name a setting and return a value of their type are found", async () => {
  const answers = {
    [`${address} oracle()`]: 9n,
    [`${address} quorum()`]: 3n,
    [`${address} totalSupply()`]: 5n,
  };
  const declared = [
    ...[oracle, "quorum() view returns (uint256)", "totalSupply() view returns (uint256)"],
    ...["oracle(uint256) view returns (address)", "setOracle(address)"],
  ];
  expect(await find(declared, answers)).toEqual([oracle, "quorum() view returns (uint256)"]);
  expect(await find(declared, answers, (name) => name === "quorum")).toEqual([oracle]);
});

test("a guessed function whose value is not of the promised type is no setting", async () => {
  expect(await find([oracle], { [`${address} oracle()`]: 2n ** 200n })).toEqual([]);
  expect(await find([oracle], { [`${address} oracle()`]: [1n, 2n] })).toEqual([]);
  expect(await find([oracle], { [`${address} oracle()`]: wordOf(7n) })).toEqual([oracle]);
  expect(await find([oracle], {})).toEqual([]);
});
