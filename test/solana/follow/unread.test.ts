import { generateKeyPairSigner } from "@solana/kit";
import { expect, test } from "vitest";
import { readLogs } from "../../../src/chains/solana/transactions/program-logs.ts";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import type { ServiceStatus } from "../../../src/wire/analytics/service-status.ts";
import type { ChainInfo } from "../../../src/wire/contracts/chains.ts";
import type { ExecutedTransaction } from "../cluster/cluster.ts";
import { deployEmitter, emitterIdl, moved } from "../cluster/emitter.ts";
import type { NodeFaults } from "../cluster/node.ts";
import { memo, memoProgram, transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster, nodes, h } = world;
const [node] = nodes;
if (!node) throw new Error("there is no node");
const event = moved(cluster.payer.address, 500n);
const drains = { target_type: "solana_event", config: { event_name: "Moved" } };

async function reasonOf(contract_id: string): Promise<string | null | undefined> {
  return (await world.targets(contract_id))[0]?.status_reason;
}

/** The system alerts about a contract. */
async function reported(contract_id: string) {
  await raiseSystemAlerts(h.app);
  const events = (await world.events()).filter((one) => one.contract_id === contract_id);
  return events.map(({ status, message }) => ({ status, message }));
}

/** A transaction in which an attacker fills the log, so that the event at its end is cut off. */
async function hideEvent(emitter: Awaited<ReturnType<typeof deployEmitter>>): Promise<ExecutedTransaction> {
  const noise = Array.from({ length: 55 }, () => emitter.log(Buffer.of()));
  const ran = await cluster.run([...noise, emitter.log(event)]);
  expect(readLogs((ran.meta as { logMessages: string[] }).logMessages).isTruncated).toBe(true);
  return ran;
}

test("a log that nodes cut off is reported, until its slot is replaced or for a day", async () => {
  const emitter = await deployEmitter(cluster);
  const watched = await world.watch(emitter.program, drains, emitterIdl);
  const named = await world.watch(cluster.payer.address, { target_type: "tx_rate", config: {} });
  await world.runUntilIdle();
  const ran = await hideEvent(emitter);
  const slot = cluster.produce([ran]);
  await world.runUntilIdle();
  const problem = `The transaction ${ran.signature} in slot ${slot} has a log that the nodes cut off, so that events in the rest of it are not known.`;
  expect(await reasonOf(watched.contract_id)).toBe(problem);
  // Only the program can have logged something that its targets measure.
  expect(await reasonOf(named.contract_id)).toBeNull();
  expect(await reported(watched.contract_id)).toEqual([{ status: "firing", message: problem }]);
  expect(await reported(watched.contract_id)).toHaveLength(1);
  await world.restart();
  cluster.produce([await cluster.run([emitter.log(event)])]);
  await world.runUntilIdle();
  expect(await reasonOf(watched.contract_id)).toBe(problem);
  cluster.rollBack(slot - 1);
  cluster.produce([]);
  cluster.finalize(cluster.produce());
  await world.runUntilIdle();
  expect(await reasonOf(watched.contract_id)).toBeNull();
  cluster.produce([await hideEvent(emitter)]);
  await world.runUntilIdle();
  expect(await reported(watched.contract_id)).toMatchObject([{ status: "firing" }]);
  h.clock.advance(86_401);
  expect(await reported(watched.contract_id)).toMatchObject([{ status: "resolved" }]);
  expect(await reasonOf(watched.contract_id)).toBeNull();
});

test("a transaction of an unknown version is counted and reported, and has no sender and no compute units", async () => {
  const selected_targets = ["tx_rate", "gas_usage", "unique_callers"].map((target_type) => ({ target_type }));
  const body = { chain: "solana", address: memoProgram, selected_targets };
  const { id: contract_id } = (await world.owner.client.post("/contracts", body)).body as { id: string };
  await world.runUntilIdle();
  node.faults.newVersion = true;
  const ran = await cluster.run([memo("from the future")]);
  const slot = cluster.produce([ran]);
  await world.runUntilIdle();
  node.faults.newVersion = false;
  for (const target of await world.targets(contract_id))
    expect(target).toMatchObject({
      last_value: target.target_type === "tx_rate" ? 1 : null,
      status_reason: `The transaction ${ran.signature} in slot ${slot} has a version that no node can return, so that what it did is not known.`,
    });
  expect((await reported(contract_id)).length).toBeGreaterThan(0);
});

test("a transaction of a version that one node rejects is read from another one", async () => {
  const two = await makeSolanaWorld({ nodes: 2 });
  const target = await two.watch(memoProgram, { target_type: "gas_usage", config: {} });
  await two.runUntilIdle();
  Object.assign(two.nodes[0]?.faults ?? {}, { newVersion: true });
  const units: number[] = [];
  for (const text of ["one", "and another one", "and a third one, which is longer"]) {
    const ran = await two.cluster.run([memo(text)]);
    units.push((ran.meta as { computeUnitsConsumed: number }).computeUnitsConsumed);
    two.cluster.produce([ran]);
    await two.runUntilIdle();
    expect(await two.targets(target.contract_id)).toMatchObject([
      { last_value: units.at(-1), status_reason: null },
    ]);
  }
});

test("a transaction of which a node recorded no log and no invoked instructions is read from another one, or reported", async () => {
  const two = await makeSolanaWorld({ nodes: 2 });
  const emitter = await deployEmitter(two.cluster);
  const target = await two.watch(emitter.program, drains, emitterIdl);
  const transfers = { target_type: "large_transfer", config: { native: true } };
  const paid = await two.watch(two.cluster.payer.address, transfers);
  await two.runUntilIdle();
  const [first, second] = two.nodes;
  const withoutRecord: NodeFaults["rewrite"] = ({ method }, reply) => {
    if (method !== "getTransaction" || !("result" in reply) || !reply.result) return reply;
    const { meta, ...rest } = reply.result as { meta: object };
    return { result: { ...rest, meta: { ...meta, innerInstructions: null, logMessages: null } } };
  };
  const emit = async (amount: bigint) => {
    const ran = await two.cluster.run([emitter.log(moved(two.cluster.payer.address, amount))]);
    const slot = two.cluster.produce([ran]);
    await two.runUntilIdle();
    return { ran, slot };
  };
  Object.assign(first?.faults ?? {}, { rewrite: withoutRecord });
  for (const amount of [1n, 2n]) await emit(amount);
  expect(await two.targets(target.contract_id)).toMatchObject([{ last_value: 1, status_reason: null }]);
  Object.assign(second?.faults ?? {}, { rewrite: withoutRecord });
  // A transfer of the system program invokes and logs nothing.
  const { address: wallet } = await generateKeyPairSigner();
  two.cluster.produce([await two.cluster.run([transferSol(two.cluster.payer, wallet, 5_000_000n)])]);
  await two.runUntilIdle();
  expect(await two.targets(paid.contract_id)).toMatchObject([{ status_reason: null }]);
  const { ran, slot } = await emit(3n);
  expect(await two.targets(target.contract_id)).toMatchObject([
    {
      status_reason: expect.stringMatching(
        `^The transaction ${ran.signature} in slot ${slot} has no record of what its programs invoked and logged`,
      ),
    },
  ]);
});

const lagging = { error: { code: -32016, message: "Minimum context slot has not been reached" } };
test.each([
  { provider: "backends behind one URL, some of which lag", sockets: false, lagsEvery: 3 },
  { provider: "a websocket that accepts subscriptions and stays silent", sockets: true, lagsEvery: 0 },
])(
  "with $provider, no transaction is lost, and the contract, its chain and the status show no problem",
  async ({ sockets, lagsEvery }) => {
    const wallet = (await generateKeyPairSigner()).address;
    const { id, contract_id } = await world.watch(wallet, { target_type: "tx_rate", config: {} });
    await world.runUntilIdle();
    await world.restart({ sockets });
    let calls = 0;
    node.faults.rewrite = (_, reply) => (lagsEvery > 0 && ++calls % lagsEvery === 0 ? lagging : reply);
    const slot = cluster.produce([await cluster.run([transferSol(cluster.payer, wallet, 5_000_000n)])]);
    const samples = h.app.db.selectFrom("samples").select("height").where("series_id", "=", id);
    await expect
      .poll(async () => {
        await world.step().catch(() => undefined);
        return (await samples.execute()).map(({ height }) => Number(height));
      })
      .toEqual([slot]);
    node.faults.rewrite = undefined;
    await world.runUntilIdle();
    const { client } = world.owner;
    expect((await client.get(`/contracts/${contract_id}`)).body).toMatchObject({
      ...{ status: "MONITORING", status_code: null, status_reason: null },
    });
    const chains = (await client.get("/chains")).body as ChainInfo[];
    const status = (await h.anonymous().get("/status")).body as ServiceStatus;
    for (const all of [chains, status.chains])
      expect(all.find(({ chain }) => chain === "solana")?.head_block).toBe(cluster.head);
    expect(chains.find(({ chain }) => chain === "solana")?.status_reason).toBeNull();
    expect(await reported(contract_id)).toEqual([]);
  },
);
