import { generateKeyPairSigner } from "@solana/kit";
import { expect, test } from "vitest";
import { chainOf } from "../../../src/chains/index.ts";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { recordFailure } from "../../../src/pipeline/follow/run-chain.ts";
import type { ChainInfo } from "../../../src/wire/contracts/chains.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import type { ExecutedTransaction } from "../cluster/cluster.ts";
import type { NodeReply } from "../cluster/node.ts";
import { transferSol } from "../cluster/programs.ts";
import { resume } from "../resume.ts";
import { makeSolanaWorld } from "../world.ts";

// An address is suspended at its first failure.
const world = await makeSolanaWorld({ clock: fastClock(20), listing: { maxFailingMs: 0 } });
const { cluster, owner, h } = world;
const [node] = world.nodes;
if (!node) throw new Error("there is no node");
const solana = chainOf("solana");
if (!solana) throw new Error("there is no chain");
const quiet = await watchWallet();

/** A wallet with an alert of each transaction. */
async function watchWallet() {
  const { address } = await generateKeyPairSigner();
  const { id, contract_id } = await world.watch(address, { target_type: "tx_rate", config: {} });
  const rule = await world.rule(id, { aggregation: "each", window_seconds: undefined });
  await world.runUntilIdle();
  return {
    contract_id,
    address,
    pay: async (): Promise<ExecutedTransaction> => ({
      ...(await cluster.run([transferSol(cluster.payer, address, 5_000_000n)])),
      accounts: [address],
    }),
    alerts: async () =>
      (await world.events())
        .filter(({ rule_id }) => rule_id === rule)
        .map(({ tx_hash, block_number }) => ({ tx_hash, block_number })),
    contract: async () => (await owner.client.get(`/contracts/${contract_id}`)).body as Contract,
    systemAlerts: async () => {
      await raiseSystemAlerts(h.app);
      const events = (await world.events()).filter((event) => event.contract_id === contract_id);
      return events.flatMap(({ rule_id, status, message }) => (rule_id ? [] : [{ status, message }]));
    },
  };
}

async function chain(): Promise<ChainInfo | undefined> {
  const all = (await owner.client.get("/chains")).body as ChainInfo[];
  return all.find((one) => one.chain === "solana");
}

/** Puts a transaction into a slot of its own; returns what an alert names of it. */
async function land(ran: ExecutedTransaction) {
  return { tx_hash: ran.signature, block_number: cluster.produce([ran]) };
}

async function alertOf(named: object, wallet: typeof quiet): Promise<void> {
  await expect
    .poll(
      async () => {
        await world.step().catch(() => undefined);
        return wallet.alerts();
      },
      { timeout: 30_000 },
    )
    .toContainEqual(named);
}

test.each([
  ["-32429", { code: -32429, message: "rate limited" }],
  ["-32007 with the words of a limit", { code: -32007, message: "15/second request limit reached" }],
])(
  "a provider that answers every call with %s is named in the chains, and no alert is lost",
  async (_, limit) => {
    node.faults.limit = { perSecond: 0, ...limit };
    const named = await land(await quiet.pay());
    const failure = await world.step().then(
      () => undefined,
      (error: unknown) => error,
    );
    await recordFailure(h.app, solana, failure);
    expect((await chain())?.status_reason).toMatch(/could not be read: .* asks to slow down/);
    expect((await quiet.contract()).status).toBe("MONITORING");
    node.faults.limit = undefined;
    await alertOf(named, quiet);
    expect((await chain())?.status_reason ?? "").not.toContain("could not be read");
  },
);

const skipped = "Slot 5 was skipped, or missing due to ledger jump to recent snapshot";
const fails =
  (code: number, message = "odd") =>
  (): NodeReply => ({ error: { code, message } });
type Case = [what: string, code: string, answer: () => NodeReply, reason: string];
const unlisted = (code: number): Case => [
  "a listing",
  String(code),
  fails(code, skipped),
  `cannot be listed: the nodes return error ${code}`,
];
const unreturned = (code: string, answer: () => NodeReply): Case => [
  "a transaction",
  code,
  answer,
  "that the nodes list but do not return",
];
/** Answers that are handled like one of the others. */
const similar = [
  unlisted(-32010),
  unreturned("-32009", fails(-32009)),
  unreturned("-32011", fails(-32011)),
  unreturned("null", () => ({ result: null })),
];
const cases: Case[] = [
  unlisted(-32007),
  unreturned("-32007", fails(-32007, skipped)),
  ...(process.env.TEST_LONG ? similar : []),
];

test.each(cases)(
  "an address of which %s is answered with %s is suspended with its reason and a system alert, delays no other, and is caught up",
  async (what, _, answer, reason) => {
    const wallet = await watchWallet();
    const paid = await wallet.pay();
    const [method, of] =
      what === "a listing" ? ["getSignaturesForAddress", wallet.address] : ["getTransaction", paid.signature];
    node.faults.rewrite = (request, reply) =>
      request.method === method && request.params[0] === of ? answer() : reply;
    const named = await land(paid);
    const beside = await land(await quiet.pay());
    await alertOf(beside, quiet);
    await expect
      .poll(async () => {
        cluster.produce();
        await world.step();
        return wallet.contract();
      })
      .toMatchObject({ status: "ERROR", status_code: "suspended" });
    expect((await wallet.contract()).status_reason).toContain(reason);
    if (what === "a transaction") expect((await wallet.contract()).status_reason).toContain(paid.signature);
    expect(await wallet.systemAlerts()).toEqual([
      { status: "firing", message: expect.stringContaining(reason) },
    ]);
    expect(await wallet.alerts()).toEqual([]);
    node.faults.rewrite = undefined;
    h.clock.advance(1_000);
    await resume(world, wallet.contract_id);
    expect(await wallet.contract()).toMatchObject({ status: "MONITORING", status_code: "resumed" });
    expect(await wallet.alerts()).toEqual([named]);
    expect(await wallet.systemAlerts()).toMatchObject([{ status: "resolved" }]);
  },
);

test("several addresses that a provider stops listing are one system alert of the chain", async () => {
  const wallets = await Promise.all([1, 2, 3].map(watchWallet));
  const failing = new Set<string>(wallets.map(({ address }) => address));
  node.faults.rewrite = ({ method, params }, reply) =>
    method === "getSignaturesForAddress" && failing.has(String(params[0])) ? fails(-32007, skipped)() : reply;
  await Promise.all(wallets.map(async ({ pay }) => land(await pay())));
  const statuses = async () => Promise.all(wallets.map(async ({ contract }) => (await contract()).status));
  await expect
    .poll(async () => {
      cluster.produce();
      await world.step();
      return statuses();
    })
    .toEqual(["ERROR", "ERROR", "ERROR"]);
  await raiseSystemAlerts(h.app);
  const about = (await world.events()).filter(({ status, explanation }) => {
    return status === "firing" && explanation?.reason === "unreadable";
  });
  expect(about).toMatchObject([{ title: "Contracts on Solana are not being followed", contract_id: null }]);
  node.faults.rewrite = undefined;
});
