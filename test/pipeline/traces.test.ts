import { encodeFunctionData, parseAbi } from "viem";
import { expect, test } from "vitest";
import type { Target } from "../../src/wire/contracts.ts";
import { harness } from "../harness.ts";
import { txHash } from "./scripted-chain.ts";
import { freshWorld, tokenAddress } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const function_signature = "transfer(address to, uint256 amount)";
const target = { target_type: "function_call_rate", config: { function_signature, internal: true } };
const elsewhere = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const input = encodeFunctionData({
  abi: parseAbi([`function ${function_signature}`]),
  functionName: "transfer",
  args: [elsewhere, 5n],
});

async function tracedWorld() {
  const world = await freshWorld(h);
  const target_id = await world.watch(target);
  await world.rule(target_id, { operator: "gte", threshold: 1, window_seconds: 60 });
  await world.settle();
  const asked: object[] = [];
  const plain = world.chain.blocks.bind(world.chain);
  world.chain.blocks = async (from, to, wants?: object) => {
    asked.push(wants ?? {});
    return plain(from, to);
  };
  const statusOf = async () => {
    const { contract_id } = await h.app.db
      .selectFrom("targets")
      .select("contract_id")
      .where("id", "=", target_id)
      .executeTakeFirstOrThrow();
    const targets = (await world.owner.client.get(`/contracts/${contract_id}/targets`)).body as Target[];
    return targets.find(({ id }) => id === target_id);
  };
  return { world, asked, statusOf };
}

test("a call by another contract fires a rule, with the transaction and the arguments that did it", async () => {
  const { world, asked } = await tracedWorld();
  const block = world.chain.mine([{ id: 900_001, to: elsewhere, amounts: [] }]);
  const call = { tx_hash: txHash(900_001), tx_index: 0, from: elsewhere, to: tokenAddress, input, value: 0n };
  block.internal_calls = [{ ...call, is_success: true }];
  await world.settle();
  expect(asked.at(-1)).toMatchObject({ traces: true });
  expect(await world.events()).toMatchObject([
    { value: 1, tx_hash: txHash(900_001), explanation: { decoded: { name: "transfer" } } },
  ]);
});

test("without traces the target says so instead of staying silent", async () => {
  const { world, statusOf } = await tracedWorld();
  world.chain.mine([{ id: 900_002, to: elsewhere, amounts: [] }]);
  await world.settle();
  expect(await statusOf()).toMatchObject({
    status: "error",
    status_reason: expect.stringContaining("traces"),
  });
  expect(await world.events()).toEqual([]);
});
