import { generateKeyPairSigner } from "@solana/kit";
import { expect, test } from "vitest";
import type { ContractAnalysis } from "../../../src/wire/inspection/contract-analysis.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { makeFeeToken } from "../cluster/token-2022.ts";
import { makeExtendedMint } from "../cluster/token-2022-extensions.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster, owner } = world;
const each = { operator: "gte", threshold: 1, aggregation: "each", window_seconds: 60 };
const me = cluster.payer.address;

/** Watches a mint, by its transactions or by polls alone, and returns the messages of its alerts, oldest first. */
async function watch(mint: string, config: object = { account: "token" }) {
  const target = await world.watch(mint, { target_type: "solana_authority_change", config });
  const rule = await world.rule(target.id, each);
  await pass(1);
  const messages = async () => {
    const events = (await world.events()).filter(({ rule_id }) => rule_id === rule);
    return events.toReversed().map(({ message }) => message);
  };
  return { contract_id: target.contract_id, messages };
}

async function pass(...seconds: number[]): Promise<void> {
  await world.runUntilIdle();
  for (const second of seconds) {
    cluster.produce([], { seconds: second });
    await world.runUntilIdle();
  }
}

/** Executes an instruction on the real program, which must accept it, in a slot of its own. */
async function land(instruction: Parameters<Cluster["run"]>[0][number]): Promise<void> {
  const ran = await cluster.run([instruction]);
  expect(ran.hasFailed).toBe(false);
  cluster.produce([ran]);
  await world.runUntilIdle();
}

async function powersOf(contract_id: string): Promise<string[]> {
  const reply = await owner.client.get(`/contracts/${contract_id}/analysis`);
  const { powers } = reply.body as ContractAnalysis;
  return powers.flatMap(({ role, holder }) => (role ? [`${role}: ${holder.address}`] : []));
}

test("a new program and a new authority of a transfer hook are found by their instructions, and once", async () => {
  const [program, thief] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  const token = await makeExtendedMint(cluster, "hook");
  const { contract_id, messages } = await watch(token.mint);
  expect(await powersOf(contract_id)).toContain(`transfer hook authority: ${me}`);
  await land(token.setHook(program.address));
  await land(token.setAuthority(10, thief.address));
  await pass(90);
  expect(await messages()).toEqual([
    expect.stringContaining(`transfer hook changed: none → ${program.address}`),
    expect.stringContaining(`transfer hook authority changed: ${me} → ${thief.address}`),
  ]);
});

test("a poll finds a new program of a transfer hook", async () => {
  const program = await generateKeyPairSigner();
  const token = await makeExtendedMint(cluster, "hook");
  const { messages } = await watch(token.mint, { account: "program" });
  await land(token.setHook(program.address));
  await pass(90);
  expect(await messages()).toEqual([
    expect.stringContaining(`transfer hook changed: none → ${program.address} by ${me}`),
  ]);
});

test("a new scale of amounts and its new authority are found by their instructions, and once", async () => {
  const thief = await generateKeyPairSigner();
  const token = await makeExtendedMint(cluster, "scale");
  const { contract_id, messages } = await watch(token.mint);
  expect(await powersOf(contract_id)).toContain(`scaled amount authority: ${me}`);
  await land(token.setScale(2.5));
  await land(token.setAuthority(15, thief.address));
  await pass(90);
  expect(await messages()).toEqual([
    expect.stringContaining("scale of amounts changed: 1 → 2.5"),
    expect.stringContaining(`scaled amount authority changed: ${me} → ${thief.address}`),
  ]);
});

test("a token that is paused and resumed, and its new pause authority, are found by their instructions, and once", async () => {
  const thief = await generateKeyPairSigner();
  const token = await makeExtendedMint(cluster, "pause");
  const { contract_id, messages } = await watch(token.mint);
  expect(await powersOf(contract_id)).toContain(`pause authority: ${me}`);
  await land(token.pause());
  await land(token.resume());
  await land(token.setAuthority(16, thief.address));
  await pass(90);
  expect(await messages()).toEqual([
    expect.stringContaining("token changed: usable → paused"),
    expect.stringContaining("token changed: paused → usable"),
    expect.stringContaining(`pause authority changed: ${me} → ${thief.address}`),
  ]);
});

test.each([
  { extension: "pause", change: "pause", text: "token changed: usable → paused" },
  { extension: "scale", change: "setScale", text: "scale of amounts changed: 1 → 3" },
] as const)("a poll finds a new setting: $text", async ({ extension, change, text }) => {
  const token = await makeExtendedMint(cluster, extension);
  const { messages } = await watch(token.mint, { account: "program" });
  await land(change === "pause" ? token.pause() : token.setScale(3));
  await pass(90);
  expect(await messages()).toEqual([expect.stringContaining(`: ${text} by ${me}`)]);
});

test("a poll finds a new fee of transfers", async () => {
  const { mint, setFee } = await makeFeeToken(cluster);
  const { messages } = await watch(mint, { account: "program" });
  await land(setFee(9_000));
  await pass(90);
  expect(await messages()).toEqual([expect.stringContaining("transfer fee changed: 1 % → 90 %")]);
});

test("the balance of a wallet and of a token account of a mint with a scale is what people see", async () => {
  const holder = (await generateKeyPairSigner()).address;
  const token = await makeExtendedMint(cluster, "scale", { decimals: 1 });
  for (const instruction of [token.open(holder), token.mintTo(holder, 50n), token.setScale(3)])
    await land(instruction);
  const balance = { target_type: "token_balance", config: { token: token.mint } };
  const targets = [await world.watch(holder, balance), await world.watch(token.account(holder), balance)];
  await pass(1, 90);
  for (const { id } of targets)
    expect((await owner.client.get(`/targets/${id}`)).body).toMatchObject({ last_value: 15 });
});

test("a transfer of a mint with a scale is reported as people see it at its time, with the stored amount", async () => {
  const holder = await generateKeyPairSigner();
  const other = (await generateKeyPairSigner()).address;
  const token = await makeExtendedMint(cluster, "scale", { decimals: 1 });
  for (const one of [holder.address, other]) await land(token.open(one));
  for (const instruction of [token.mintTo(holder.address, 50n), token.setScale(3)]) await land(instruction);
  const target = await world.watch(other, {
    target_type: "large_transfer",
    config: { token: token.mint },
  });
  await pass(1);
  await world.rule(target.id, { aggregation: "each", window_seconds: undefined });
  const transfer = token.transfer(holder, { from: holder.address, to: other, amount: 20n });
  await land(transfer);
  const later = BigInt(cluster.now + 600);
  await cluster.run([token.setScale(5, later)]);
  await land(transfer);
  expect((await owner.client.get(`/targets/${target.id}`)).body).toMatchObject({ last_value: 6 });
  const messages = (await world.events()).filter(({ target_id }) => target_id === target.id);
  expect(messages).toHaveLength(2);
  expect(messages[0]?.message).toContain("received 6 tokens");
  expect(messages[0]?.message).toContain("(stored as 2, times 3)");
});
