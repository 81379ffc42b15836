import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";
import { txHash } from "./scripted-chain.ts";
import { atLeast, emits, freshWorld, transferSignature } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

test("a match filters the readings of a rule by events and their arguments", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  const match = { events: [{ signature: transferSignature, expression: "value >= 100" }] };
  await world.rule(target, { ...atLeast(1), match });
  await world.catchUp();
  world.chain.mine([emits(99), emits(1, 2)]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  const big = emits(5, 100);
  world.chain.mine([big]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { tx_hash: txHash(big.id), explanation: { decoded: { args: { value: "100" } } } },
  ]);
});

test("an expression may use argument names of the rule's signature and of the contract's ABI", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  const [contract] = (await world.owner.client.get("/contracts")).body as { id: string }[];
  const signature = "Transfer(address indexed sender, address indexed receiver, uint256 amount)";
  const abi = [`event ${transferSignature}`];
  expect(await world.owner.client.patch(`/contracts/${contract?.id}`, { abi })).toMatchObject({
    status: 200,
  });
  for (const expression of ["amount >= 100", "value >= 100", "$2 >= 100"]) {
    await world.rule(target, { ...atLeast(1), match: { events: [{ signature, expression }] } });
  }
  await world.catchUp();
  world.chain.mine([emits(99), emits(100)]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(3);
});

test("a match on the transaction applies to transactions that reach the contract through another one", async () => {
  const world = await freshWorld(h);
  const router = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  const target = await world.watch({ target_type: "tx_rate" });
  const events = [{ signature: transferSignature }];
  const matching = (expression: string) => ({ ...atLeast(1), match: { events, expression } });
  const rule = await world.rule(target, matching(`to == ${router} and gas_used > 1000`));
  await world.rule(target, matching(`to != ${router}`));
  await world.catchUp();
  const tx = { ...emits(5), through: router };
  world.chain.mine([tx]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ rule_id: rule, tx_hash: txHash(tx.id) }]);
});

test("an event of a transaction shows its sender and its status", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  await world.rule(target, { ...atLeast(1), match: { status: "failed" } });
  await world.catchUp();
  world.chain.mine([{ ...emits(), isSuccess: false }]);
  await world.catchUp();
  const evidence = { status: "failed", from: expect.stringMatching(/^0x/) };
  expect(await world.events()).toMatchObject([{ explanation: { evidence } }]);
});

test("a match applies only to the transactions that its target counts", async () => {
  const world = await freshWorld(h);
  const match = { events: [{ signature: transferSignature }] };
  const config = { direction: "from", include_failed: true };
  await world.rule(await world.watch({ target_type: "tx_rate", config }), { ...atLeast(1), match });
  const successes = { target_type: "tx_rate", config: { include_failed: false } };
  const other = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  await world.rule(await world.watch(successes, other), { ...atLeast(1), match: { status: "any" } });
  await world.catchUp();
  world.chain.mine([emits(5), { ...emits(), to: other, isSuccess: false }]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.mine([{ ...emits(), to: other }]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
});
