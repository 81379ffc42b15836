import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import type { ChainClients, PinnedBlock } from "../../src/chains/chain-client.ts";
import { ChainError } from "../../src/chains/reader.ts";
import { inspectContracts } from "../../src/jobs/inspect-contracts.ts";
import { addContract, freshAddress } from "../api/contracts/contract-steps.ts";
import { harness, type Person } from "../support/harness.ts";
import { quietChains } from "../support/quiet-chains.ts";

const h = await harness();

/** An organisation that has imported many contracts. */
async function importMany(): Promise<Person> {
  const busy = await h.personOn("enterprise");
  const contracts = Array.from({ length: 30 }, () => ({ chain: "local", address: freshAddress() }));
  expect((await busy.client.post("/contracts/bulk-import", { contracts })).body).toMatchObject({
    imported: 30,
  });
  return busy;
}

/** The app with chains on which every read passes `wait`. */
const appWith = (wait: (reads: Parameters<PinnedBlock["read"]>[0]) => Promise<void>) => {
  const clientFor: ChainClients["clientFor"] = (chain) => {
    const client = quietChains.clientFor(chain);
    const pinLatestBlock = async (): Promise<PinnedBlock> => {
      const pinned = await client.pinLatestBlock();
      return { ...pinned, read: (reads) => wait(reads).then(() => pinned.read(reads)) };
    };
    return { ...client, pinLatestBlock };
  };
  return { ...h.app, chains: { ...quietChains, clientFor } };
};

/** The contracts of an organisation whose inspection has begun or was postponed. */
async function listTried(org_id: string): Promise<string[]> {
  const query = h.app.db.selectFrom("contracts").select("id").where("org_id", "=", org_id);
  const rows = await query.where("inspect_at", ">", new Date(0)).execute();
  return rows.map(({ id }) => id);
}

const countInspections = async (id: string) => {
  const query = h.app.db.selectFrom("contracts").select("inspections").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).inspections;
};

test("contracts of other organisations are inspected while the node answers slowly for one", async () => {
  const [slow, calm] = [await h.person(), await h.person()];
  const { id, address } = await addContract(slow);
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const app = appWith(async (reads) => {
    if (!reads.some((read) => "address" in read && read.address === address)) return;
    begun.resolve();
    await held.promise;
  });
  const run = inspectContracts.run(app);
  await begun.promise;
  // Added while the slow inspection is running.
  const later = await addContract(calm);
  await expect.poll(() => countInspections(later.id)).toBe(1);
  expect(await countInspections(id)).toBe(0);
  held.resolve();
  await run;
});

/** Has the results of claims wait, other than that of the first one. */
function delayClaims(wait: () => Promise<unknown>): KyselyPlugin {
  const claims: object[] = [];
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === "RawNode" && node.sqlFragments.join("").includes("skip locked")) claims.push(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (claims.indexOf(queryId) > 0) await wait();
      return result;
    },
  };
}

test("a contract is inspected in the same run although the inspection before it ends while others are claimed", async () => {
  const person = await h.person();
  await Promise.all([addContract(person), addContract(person)]);
  const held = Promise.withResolvers<void>();
  const db = h.app.db.withPlugin(
    delayClaims(async () => {
      held.resolve();
      await expect.poll(countDone).toBeGreaterThan(0);
    }),
  );
  const app = { ...appWith(() => held.promise), db, clock: { ...h.app.clock, sleep: async () => undefined } };
  await inspectContracts.run(app);
  expect(await countDone()).toBe(2);

  async function countDone() {
    const query = h.app.db.selectFrom("contracts").select("id").where("org_id", "=", person.org_id);
    return (await query.where("inspections", ">", 0).execute()).length;
  }
});

test("while a chain cannot be read, each organisation tries one contract in a round, however many others imported", async () => {
  const busy = await importMany();
  const calm = await h.person();
  const { id } = await addContract(calm);
  const app = appWith(() => Promise.reject(new ChainError("The node does not answer.")));
  expect(await inspectContracts.run(app)).toEqual({ hasMore: false });
  expect(await listTried(calm.org_id)).toEqual([id]);
  expect(await listTried(busy.org_id)).toHaveLength(1);
});
