import { generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import type { ContractAnalysis } from "../../../src/wire/inspection/contract-analysis.ts";
import { makeExtendedMint } from "../cluster/token-2022-extensions.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const { payer, svm } = cluster;
const each = { aggregation: "each", window_seconds: undefined };

async function funded() {
  const signer = await generateKeyPairSigner();
  svm.airdrop(signer.address, lamports(10_000_000_000n));
  return signer;
}

async function watched(address: string, config: object = { account: "token" }) {
  const target = await world.watch(address, { target_type: "solana_authority_change", config });
  const rule = await world.rule(target.id, each);
  await pass(1);
  return async () =>
    (await world.events())
      .filter(({ rule_id }) => rule_id === rule)
      .toReversed()
      .map(({ message, tx_hash, block_number }) => ({ message, tx_hash, block_number }));
}

async function pass(seconds: number): Promise<void> {
  await world.runUntilIdle();
  cluster.produce([], { seconds });
  await world.runUntilIdle();
}

/** Executes instructions in a transaction and a slot of their own; returns what an alert names of it. */
async function land(...instructions: Instruction[]) {
  const ran = await cluster.run(instructions);
  if (ran.hasFailed) throw new Error(JSON.stringify(ran.meta));
  const block_number = cluster.produce([ran]);
  await world.runUntilIdle();
  return { tx_hash: ran.signature, block_number };
}

test("a new interest rate is found by its instruction and names the old one, and once", async () => {
  const token = await makeExtendedMint(cluster, "interest");
  const alerts = await watched(token.mint);
  const set = await land(token.setRate(2_500));
  await pass(90);
  expect(await alerts()).toEqual([
    { ...set, message: expect.stringContaining(`interest rate changed: 1 % → 25 % by ${payer.address}`) },
  ]);
});

test("an inspection names who can change the interest rate of a token", async () => {
  const { mint } = await makeExtendedMint(cluster, "interest");
  const { contract_id } = await world.watch(mint, { target_type: "token_supply" });
  const reply = await world.owner.client.get(`/contracts/${contract_id}/analysis`);
  const { powers } = reply.body as ContractAnalysis;
  const named = powers.map(({ role, holder }) => [role, holder.address]);
  expect(named).toContainEqual(["interest rate authority", payer.address]);
});

test("a new state of new accounts, after which every one of them is frozen or usable, is found by its instruction, and once", async () => {
  const token = await makeExtendedMint(cluster, "state");
  const alerts = await watched(token.mint);
  const usable = await land(token.setNewAccounts("usable"));
  const frozen = await land(token.setNewAccounts("frozen"));
  await pass(90);
  expect(await alerts()).toEqual([
    { ...usable, message: expect.stringContaining("state of new accounts changed: frozen → usable by ") },
    { ...frozen, message: expect.stringContaining("state of new accounts changed: usable → frozen by ") },
  ]);
});

test("a poll finds a new interest rate and a new state of new accounts", async () => {
  const [interest, state] = [
    await makeExtendedMint(cluster, "interest"),
    await makeExtendedMint(cluster, "state"),
  ];
  const polled = { account: "program" };
  const alerts = [await watched(interest.mint, polled), await watched(state.mint, polled)];
  await land(interest.setRate(-50), state.setNewAccounts("usable"));
  await pass(90);
  expect(await alerts[0]?.()).toMatchObject([
    { message: expect.stringContaining("interest rate changed: 1 % → -0.5 % by ") },
  ]);
  expect(await alerts[1]?.()).toMatchObject([
    { message: expect.stringContaining("state of new accounts changed: frozen → usable by ") },
  ]);
});

test("a new auditor of confidential transfers is found by its instruction", async () => {
  const token = await makeExtendedMint(cluster, "confidential");
  const alerts = await watched(token.mint);
  // A point of the curve, as the key of an auditor must be.
  const set = await land(token.setConfidential("GcdayuLaLyrdmUu324nahyv33G5poQdLUEZ1nEytDeP"));
  await pass(90);
  expect(await alerts()).toEqual([
    { ...set, message: expect.stringMatching(/confidential transfers changed: .* with the auditor \w+ by /) },
  ]);
});

test("the CPI guard and the required memo of a token account that are switched off are found by their instructions", async () => {
  const token = await makeExtendedMint(cluster, "pause");
  const holder = await funded();
  await land(token.open(holder.address));
  await land(...token.turn("guard", holder, true), ...token.turn("memo", holder, true));
  const alerts = await watched(token.account(holder.address));
  const guard = await land(...token.turn("guard", holder, false));
  const memo = await land(...token.turn("memo", holder, false));
  await pass(90);
  expect(await alerts()).toEqual([
    { ...guard, message: expect.stringContaining(`CPI guard changed: on → off by ${payer.address}`) },
    { ...memo, message: expect.stringContaining("memo of incoming transfers changed: required → optional") },
  ]);
});

test("an account of a mint that freezes new accounts is found to be thawed", async () => {
  const token = await makeExtendedMint(cluster, "state");
  const holder = await funded();
  await land(token.open(holder.address));
  const alerts = await watched(token.account(holder.address));
  const thawed = await land(token.thaw(holder.address));
  expect(await alerts()).toEqual([
    { ...thawed, message: expect.stringContaining("account changed: frozen → usable by ") },
  ]);
});

test("a change that a poll has already read and reported is not reported again by its transaction", async () => {
  const token = await makeExtendedMint(cluster, "interest");
  const alerts = await watched(token.mint);
  const ran = await cluster.run([token.setRate(700)]);
  await pass(90);
  expect(await alerts()).toHaveLength(1);
  cluster.produce([ran]);
  await world.runUntilIdle();
  expect(await alerts()).toHaveLength(1);
  const back = await land(token.setRate(100));
  expect((await alerts()).slice(1)).toEqual([
    { ...back, message: expect.stringContaining("interest rate changed: 7 % → 1 %") },
  ]);
});
