import type { Instruction } from "@solana/kit";
import { expect, test } from "vitest";
import { readLogs } from "../../src/chains/solana/transactions/program-logs.ts";
import type { ExecutedTransaction } from "./cluster/cluster.ts";
import { deployEmitter, emitterIdl, moved } from "./cluster/emitter.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const from = cluster.payer.address;
const large = moved(from, 500n);
const largeEvent = { target_type: "solana_event", config: { event_name: "Moved", filter: "amount >= 500" } };
const decoded = { name: "Moved", args: { from, amount: "500" } };

/** Deploys a program with a rule on its events. */
async function monitoredEmitter(target: { target_type: string; config: object } = largeEvent) {
  const emitter = await deployEmitter(cluster);
  const { id, contract_id } = await world.watch(emitter.program, target, emitterIdl);
  await world.rule(id);
  await world.runUntilIdle();
  const alerts = async () => (await world.events()).filter((event) => event.contract_id === contract_id);
  return { ...emitter, alerts };
}

async function execute(...instructions: Instruction[]): Promise<ExecutedTransaction> {
  const ran = await cluster.run(instructions);
  cluster.produce([ran]);
  await world.runUntilIdle();
  return ran;
}

const logOf = ({ meta }: ExecutedTransaction) => (meta as { logMessages: string[] }).logMessages;

test("a logged Anchor event whose arguments match the filter raises an alert", async () => {
  const emitter = await monitoredEmitter();
  await execute(emitter.log(moved(from, 499n)));
  expect(await emitter.alerts()).toEqual([]);
  const ran = await execute(emitter.log(large));
  expect(logOf(ran)).toContain(`Program data: ${large.toString("base64")}`);
  expect(await emitter.alerts()).toMatchObject([{ tx_hash: ran.signature, explanation: { decoded } }]);
});

test("an Anchor event emitted by self-CPI raises an alert and is not counted as an instruction", async () => {
  const emitter = await monitoredEmitter();
  const anyCall = await monitoredEmitter({
    target_type: "solana_instruction",
    config: { discriminator: "0xe4" },
  });
  const ran = await execute(emitter.callSelf(large), anyCall.callSelf(large));
  expect(ran.hasFailed).toBe(false);
  expect(logOf(ran).filter((line) => line.startsWith("Program data:"))).toEqual([]);
  expect(await emitter.alerts()).toMatchObject([{ tx_hash: ran.signature, explanation: { decoded } }]);
  expect(await anyCall.alerts()).toEqual([]);
});

test("events logged by a failed transaction are ignored", async () => {
  const emitter = await monitoredEmitter();
  const failed = await execute(emitter.logAndFail(large));
  expect(failed.hasFailed).toBe(true);
  expect(logOf(failed)).toContain(`Program data: ${large.toString("base64")}`);
  const undone = await execute(emitter.log(large), emitter.callSelf(large), emitter.logAndFail(large));
  expect(undone.hasFailed).toBe(true);
  const caller = await deployEmitter(cluster);
  const inside = await execute(caller.callOther(emitter.logAndFail(large)));
  expect(logOf(inside).at(-1)).toContain(`Program ${caller.program} failed`);
  expect(await emitter.alerts()).toEqual([]);
});

test("an event forged by another program fails and raises no alert", async () => {
  const [emitter, forger] = [await monitoredEmitter(), await deployEmitter(cluster)];
  const { programAddress, data } = emitter.callSelf(large);
  const forged = await execute(forger.callOther({ programAddress, data: data?.slice(1) ?? Buffer.of() }));
  expect(forged.hasFailed).toBe(true);
  expect(logOf(forged)).toContain(`Program ${emitter.program} failed: custom program error: 0x1`);
  expect(await emitter.alerts()).toEqual([]);
});

test("a truncated log hides logged events but not those emitted by self-CPI", async () => {
  const [logger, caller] = [await monitoredEmitter(), await monitoredEmitter()];
  const noise = Array.from({ length: 55 }, () => logger.log(Buffer.of()));
  const ran = await execute(...noise, logger.log(large), caller.callSelf(large));
  expect(ran.hasFailed).toBe(false);
  expect(readLogs(logOf(ran)).isTruncated).toBe(true);
  expect(await logger.alerts()).toEqual([]);
  expect(await caller.alerts()).toMatchObject([{ tx_hash: ran.signature, explanation: { decoded } }]);
});

test("an event belongs to the emitting program and not to its caller", async () => {
  const [outer, inner] = [await monitoredEmitter(), await monitoredEmitter()];
  const ran = await execute(outer.callOther(inner.log(large)));
  expect(ran.hasFailed).toBe(false);
  expect(await outer.alerts()).toEqual([]);
  expect(await inner.alerts()).toMatchObject([{ tx_hash: ran.signature, explanation: { decoded } }]);
});

test("an instruction invoked by CPI is counted unless include_cpi is false", async () => {
  const target = (include_cpi: boolean) => ({
    target_type: "solana_instruction",
    config: { name: "log", filter: "amount >= 500", include_cpi },
  });
  const outer = await deployEmitter(cluster);
  const [all, direct] = [await monitoredEmitter(target(true)), await monitoredEmitter(target(false))];
  const ran = await execute(outer.callOther(all.log(large)), outer.callOther(direct.log(large)));
  expect(await all.alerts()).toMatchObject([
    { tx_hash: ran.signature, explanation: { decoded: { name: "log", args: { amount: "500" } } } },
  ]);
  expect(await direct.alerts()).toEqual([]);
  await execute(direct.log(large));
  expect(await direct.alerts()).toHaveLength(1);
});

test("each log line is attributed to the running program, also after a nested call returns", async () => {
  const [one, other, third] = [
    await deployEmitter(cluster),
    await deployEmitter(cluster),
    await deployEmitter(cluster),
  ];
  const innermost = third.log(large);
  const middle = other.callOther(innermost);
  const ran = await cluster.run([one.log(large), one.callOther(middle), third.logAndFail(large)]);
  const line = (program: string, bytes: Instruction["data"]) => ({
    program,
    kind: "data",
    text: Buffer.from(bytes ?? []).toString("base64"),
  });
  expect(readLogs(logOf(ran)).lines).toEqual([
    line(one.program, large),
    line(third.program, large),
    line(other.program, innermost.data),
    line(one.program, middle.data),
    line(third.program, large),
  ]);
  expect(logOf(ran)).toContain(`Program ${third.program} invoke [3]`);
});
