import { generateKeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { loaderV4, readProgramAccount } from "../../src/chains/solana/accounts/program-account.ts";
import { makeSolanaReader } from "../../src/chains/solana/reader.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { ExecutedTransaction } from "./cluster/cluster.ts";
import { makeProgramV4 } from "./cluster/loader-v4.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;

async function land(ran: ExecutedTransaction): Promise<void> {
  cluster.produce([ran]);
  await world.runUntilIdle();
}

async function pass(seconds: number): Promise<void> {
  cluster.produce([], { seconds });
  await world.runUntilIdle();
}

async function watched(address: string, target: { target_type: string; config?: object }) {
  const { id, contract_id } = await world.watch(address, target);
  await world.rule(id);
  await pass(1);
  return async () => {
    const events = (await world.events()).filter((event) => event.contract_id === contract_id);
    return events.map(({ tx_hash, message }) => ({ tx_hash, message }));
  };
}

test("a deployment and a retraction under the loader v4 are found once, with their transaction and who made them", async () => {
  const made = await makeProgramV4(cluster);
  const alerts = await watched(made.program, {
    target_type: "solana_program_upgrade",
    config: { loader: "v4" },
  });
  const deployed = await made.deploy();
  const slot = cluster.head + 1;
  await land(deployed);
  await pass(90);
  const retracted = await made.retract();
  await land(retracted);
  await pass(90);
  expect(await alerts()).toEqual([
    { tx_hash: retracted.signature, message: expect.stringContaining("program closed by ") },
    {
      tx_hash: deployed.signature,
      message: expect.stringContaining(`program upgraded in slot ${slot} by ${cluster.payer.address}`),
    },
  ]);
});

test("a new authority under the loader v4 and a final program are found once, with their transaction", async () => {
  const made = await makeProgramV4(cluster);
  const { address: thief } = await generateKeyPairSigner();
  const target = { target_type: "solana_authority_change", config: { account: "program_v4" } };
  const alerts = await watched(made.program, target);
  const transferred = await made.transfer(thief);
  await land(transferred);
  await pass(90);
  const final = await made.finalize();
  await land(final);
  await pass(90);
  expect(await alerts()).toEqual([
    { tx_hash: final.signature, message: expect.stringContaining(`${thief} → none`) },
    {
      tx_hash: transferred.signature,
      message: expect.stringContaining(`${cluster.payer.address} → ${thief}`),
    },
  ]);
});

test("deployments and authorities under the loader v4 are found by polling where its transactions are not read, with who made them", async () => {
  const made = await makeProgramV4(cluster);
  const { address: thief } = await generateKeyPairSigner();
  const upgrades = await watched(made.program, { target_type: "solana_program_upgrade" });
  const other = await makeProgramV4(cluster);
  const authorities = await watched(other.program, { target_type: "solana_authority_change" });
  const [deployed, transferred] = [await made.deploy(), await other.transfer(thief)];
  await land(deployed);
  await land(transferred);
  await pass(90);
  const by = `by ${cluster.payer.address}`;
  expect(await upgrades()).toEqual([
    {
      tx_hash: deployed.signature,
      message: expect.stringMatching(new RegExp(`program upgraded in slot \\d+ ${by}`)),
    },
  ]);
  expect(await authorities()).toEqual([
    { tx_hash: transferred.signature, message: expect.stringContaining(`→ ${thief} ${by}`) },
  ]);
});

test("a polled change whose transaction the nodes do not return, or recorded without what it invoked, names no other transaction", async () => {
  const made = [await makeProgramV4(cluster), await makeProgramV4(cluster)];
  const target = { target_type: "solana_program_upgrade" };
  const alerts: Awaited<ReturnType<typeof watched>>[] = [];
  for (const { program } of made) alerts.push(await watched(program, target));
  const deployed = [await made[0]?.deploy(), await made[1]?.deploy()];
  const [withheld, unrecorded] = [await made[0]?.retract(), await made[1]?.retract()];
  const [node] = world.nodes;
  if (!node || !withheld || !unrecorded) throw new Error("a transaction is missing");
  for (const one of deployed) if (one) await land(one);
  node.faults.withheld.add(withheld.signature);
  node.faults.rewrite = ({ method, params }, reply) =>
    method === "getTransaction" && params[0] === unrecorded.signature && "result" in reply
      ? { result: withoutRecord(reply.result as RecordedTransaction) }
      : reply;
  for (const one of [withheld, unrecorded]) await land(one);
  await pass(90);
  node.faults.rewrite = undefined;
  const closed = { tx_hash: null, message: expect.stringMatching(/program closed(?! by)/) };
  for (const of of alerts) expect(await of()).toEqual([closed]);
});

type RecordedTransaction = { transaction: { message: { instructions: object[] } }; meta: object };

/** As if another program had invoked the instructions of a transaction, and the node had not recorded it. */
function withoutRecord({ transaction, meta, ...rest }: RecordedTransaction) {
  const { message } = transaction;
  const instructions = message.instructions.map((one) => ({ ...one, data: "" }));
  const outer = { ...transaction, message: { ...message, instructions } };
  return { ...rest, transaction: outer, meta: { ...meta, innerInstructions: null, logMessages: null } };
}

test("a search for a cause that takes too long leaves the next alert its transaction", async () => {
  const [slow, quick] = [await makeProgramV4(cluster), await makeProgramV4(cluster)];
  const target = { target_type: "solana_program_upgrade" };
  const alerts = [await watched(slow.program, target), await watched(quick.program, target)];
  const [node] = world.nodes;
  if (!node) throw new Error("there is no node");
  node.faults.failing.set(slow.program, "hangs");
  await land(await slow.deploy());
  await pass(90);
  const second = await quick.deploy();
  await land(second);
  await pass(90);
  node.faults.failing.clear();
  expect((await Promise.all(alerts.map((of) => of()))).flat()).toMatchObject([
    { tx_hash: null },
    { tx_hash: second.signature },
  ]);
});

test("a program of the loader v4 is read with its authority, and an account that breaks off fails alone", async () => {
  const made = await makeProgramV4(cluster);
  const reader = makeSolanaReader({ urls: [world.nodes[0]?.url ?? ""], clock: systemClock });
  const head = await reader.head();
  const read = (address: string) => readProgramAccount((reads) => reader.read([...reads], head), address);
  expect(await read(made.program)).toMatchObject({
    loader: loaderV4,
    authority: cluster.payer.address,
    slot: expect.any(Number),
    program_data: null,
  });
  await made.finalize();
  expect(await read(made.program)).toMatchObject({ authority: null });
  await reader.close();
  const { address: short } = await generateKeyPairSigner();
  cluster.svm.setAccount({
    ...{ address: short, data: new Uint8Array(20), executable: false, space: 20n },
    ...{ lamports: lamports(1_000_000n), programAddress: loaderV4 as typeof short },
  });
  const target = await world.watch(short, { target_type: "solana_program_upgrade" });
  await pass(1);
  expect(await world.targets(target.contract_id)).toMatchObject([
    { status: "error", status_reason: "The program is not upgradeable." },
  ]);
});
