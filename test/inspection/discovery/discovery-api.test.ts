import { sql } from "kysely";
import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import { inSeconds } from "../../../src/app.ts";
import { ChainError } from "../../../src/chains/reader.ts";
import { runNextDiscovery } from "../../../src/domain/imports/run-discovery.ts";
import { discoverWallets } from "../../../src/jobs/discover-wallets.ts";
import { sequenceStream } from "../../../src/jobs/sequence-stream.ts";
import { claimDiscovery } from "../../../src/store/imports/discoveries.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { DiscoveryImportResult, WalletDiscovery } from "../../../src/wire/imports/discoveries.ts";
import { freshAddress } from "../../api/contracts/contract-steps.ts";
import { makeKeyClient } from "../../api/orgs/keys.ts";
import { countByStatus, day, errorReply, sendConcurrently } from "../../api/steps.ts";
import { startNode } from "../../chain/node.ts";
import { harness } from "../../support/harness.ts";
import { makeEnterpriseAdmin, runDiscovery, startDiscovery } from "./discovery-steps.ts";

const node = await startNode();
const h = await harness({ env: { RPC_LOCAL: node.url } });
const [boss] = node.accounts as [Hex];

test("a discovery of slow chains stays claimed by one worker until it is completed", async () => {
  const slow = await harness({ env: { RPC_LOCAL: node.url, RPC_ETHEREUM: "http://127.0.0.1:1" } });
  await startDiscovery(await makeEnterpriseAdmin(slow), freshAddress(), [1, 31337]);
  const others: Promise<{ hasMore: boolean }>[] = [];
  const clientFor: App["chains"]["clientFor"] = () => {
    slow.clock.advance(200);
    others.push(runNextDiscovery(slow.app));
    throw new ChainError("too slow");
  };
  expect(await runNextDiscovery({ ...slow.app, chains: { ...slow.app.chains, clientFor } })).toEqual({
    hasMore: true,
  });
  expect(await Promise.all(others)).toEqual([{ hasMore: false }, { hasMore: false }]);
});

test("a running discovery of one org delays no other org, and the next one of its org waits", async () => {
  const [busy, calm] = [await makeEnterpriseAdmin(h), await makeEnterpriseAdmin(h)];
  const wallets = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`);
  await startDiscovery(busy, wallets[0] ?? "");
  await startDiscovery(busy, wallets[1] ?? "");
  const claim = () => claimDiscovery(h.app.db, h.app.clock.now(), inSeconds(h.app, 300));
  expect((await claim())?.org_id).toBe(busy.org_id);
  await startDiscovery(calm, wallets[2] ?? "");
  const claimed = await Promise.all([claim(), claim(), claim()]);
  expect(claimed.map((one) => one?.org_id).filter(Boolean)).toEqual([calm.org_id]);
  await sql`delete from wallet_discoveries where org_id in (${busy.org_id}, ${calm.org_id})`.execute(
    h.app.db,
  );
});

test("an import of discovered contracts creates new ones, skips existing ones, and reports unknown ones and the quota", async () => {
  for (let n = 0; n < 6; n++) await node.deploy("Token", 1n);
  h.clock.advance(day + 1);
  const admin = await h.person();
  const found = await runDiscovery(h, admin, boss);
  const [first, second] = found.results.filter(({ contract_type }) => contract_type === "erc20");
  const importContracts = async (addresses: object[]) => {
    const reply = await admin.client.post(`/wallet-discoveries/${found.id}/import`, { addresses });
    expect(reply.status).toBe(200);
    return reply.body as DiscoveryImportResult;
  };
  const one = { address: first?.address, chain_id: 31337, enable_suggested_targets: true };
  expect(await importContracts([one])).toEqual({ imported: 1, skipped: 0, failed: 0, errors: [] });
  const [contract] = (await admin.client.get("/contracts")).body as Contract[];
  expect(contract).toMatchObject({ address: first?.address, status: "MONITORING", label: "Token" });
  expect(contract?.targets_count).toBeGreaterThan(0);
  const mixed = await importContracts([
    { ...one, address: first?.address.toLowerCase() },
    { address: second?.address, chain_id: 31337 },
    { address: freshAddress(), chain_id: 31337 },
  ]);
  expect(mixed).toMatchObject({ imported: 1, skipped: 1, failed: 1, errors: [{ code: "not_found" }] });
  const again = (await admin.client.get(`/wallet-discoveries/${found.id}`)).body as WalletDiscovery;
  expect(again.results.filter(({ already_imported }) => already_imported)).toHaveLength(2);
  const rest = found.results.map(({ address, chain_id }) => ({ address, chain_id }));
  const full = await importContracts(rest);
  expect(full.imported + full.skipped + full.failed).toBe(rest.length);
  expect((await admin.client.get("/contracts")).body).toHaveLength(Math.min(5, rest.length));
});

test("concurrent requests do not exceed the daily quota of discoveries", async () => {
  const person = await h.person();
  const body = () => ({ wallet_address: freshAddress(), chain_ids: [31337] });
  const replies = await sendConcurrently(Array(10).fill(person.client), (client) =>
    client.post("/wallet-discoveries", body()),
  );
  expect(countByStatus(replies)).toEqual({ 202: 2, 403: 8 });
  while ((await discoverWallets.run(h.app)).hasMore);
});

test("a key with a chain scope lists and starts only discoveries on its chains", async () => {
  const admin = await makeEnterpriseAdmin(h);
  const { id } = await startDiscovery(admin, freshAddress());
  const [byChain, elsewhere] = [
    await makeKeyClient(h, admin, { chain_scope: [31337] }),
    await makeKeyClient(h, admin, { chain_scope: [1] }),
  ];
  expect((await byChain.get("/wallet-discoveries")).body).toMatchObject([{ id }]);
  expect((await elsewhere.get("/wallet-discoveries")).body).toEqual([]);
  expect((await elsewhere.get(`/wallet-discoveries/${id}`)).status).toBe(404);
  const body = { wallet_address: freshAddress(), chain_ids: [31337] };
  expect(await elsewhere.post("/wallet-discoveries", body)).toMatchObject(errorReply(403, "out_of_scope"));
  while ((await discoverWallets.run(h.app)).hasMore);
});

test.each([
  [{ wallet_address: "nobody", chain_ids: [31337] }, "wallet_address"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [] }, "chain_ids"],
  [{ wallet_address: "nobody", chain_ids: [] }, "wallet_address"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [999] }, "chain_ids"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [1399811149] }, "chain_ids"],
])("a discovery of %j gets 422", async (body, field) => {
  const admin = await makeEnterpriseAdmin(h);
  const reply = await admin.client.post("/wallet-discoveries", body);
  expect(reply.status).toBe(422);
  expect(reply.text).toContain(field);
});

test("a completed discovery is queued for the stream", async () => {
  const admin = await makeEnterpriseAdmin(h);
  const { id } = await runDiscovery(h, admin, freshAddress());
  await sequenceStream.run(h.app);
  const rows = await h.app.db
    .selectFrom("stream_messages")
    .select("event")
    .where("subject_id", "=", id)
    .execute();
  expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(["discovery.updated"]));
});

test("a deleted discovery is gone, also while it runs, and still counts towards the quota of the day", async () => {
  const owner = await h.personOn("free");
  const { id } = await startDiscovery(owner, freshAddress(), [31337]);
  const path = `/wallet-discoveries/${id}`;
  // Deleted in the middle of its run.
  const clientFor: App["chains"]["clientFor"] = (chain) => {
    deletion ??= owner.client.delete(path);
    return h.app.chains.clientFor(chain);
  };
  let deletion: ReturnType<typeof owner.client.delete> | undefined;
  while ((await runNextDiscovery({ ...h.app, chains: { ...h.app.chains, clientFor } })).hasMore);
  expect(await deletion).toMatchObject({ status: 200, body: { ok: true } });
  expect(await owner.client.get(path)).toMatchObject(errorReply(404, "not_found"));
  expect((await owner.client.get("/wallet-discoveries")).body).toEqual([]);
  expect(await owner.client.delete(path)).toMatchObject(errorReply(404, "not_found"));
  await startDiscovery(owner, freshAddress(), [31337]);
  const third = { wallet_address: freshAddress(), chain_ids: [31337] };
  expect(await owner.client.post("/wallet-discoveries", third)).toMatchObject(
    errorReply(403, "quota_exceeded"),
  );
});
