import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { ChainError } from "../../src/chains/reader.ts";
import { runNextDiscovery } from "../../src/domain/imports/run-discovery.ts";
import { discoverWallets } from "../../src/jobs/discover-wallets.ts";
import { sequenceStream } from "../../src/jobs/sequence-stream.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { DiscoveryImportResult, WalletDiscovery } from "../../src/wire/imports/discoveries.ts";
import { freshAddress } from "../api/contracts/contract-steps.ts";
import { makeKeyClient } from "../api/orgs/keys.ts";
import { countByStatus, day, errorReply, sendConcurrently } from "../api/steps.ts";
import { startNode } from "../chain/node.ts";
import { harness, type Person } from "../harness.ts";
import { startServiceStub } from "../inspection/service-stubs.ts";

const node = await startNode();
const explorer = await startServiceStub(() => noTransactions);
const noTransactions = { body: { status: "0", message: "No transactions found", result: [] } };
const withoutExplorer = await harness({ env: { RPC_LOCAL: node.url } });
const withExplorer = await harness({
  env: { RPC_LOCAL: node.url, ETHERSCAN_URL: `${explorer.url}/v2/api`, ETHERSCAN_API_KEY: "SECRETKEY12345" },
});
const [boss, friend] = node.accounts as [Hex, Hex];

async function enterprise(h: typeof withoutExplorer): Promise<Person> {
  const person = await h.person();
  await h.setTier(person.org_id, "enterprise");
  return person;
}

async function start(
  one: Pick<Person, "client">,
  wallet_address: string,
  chain_ids = [31337],
): Promise<WalletDiscovery> {
  const reply = await one.client.post("/wallet-discoveries", { wallet_address, chain_ids });
  if (reply.status !== 202) throw new Error(reply.text);
  return reply.body as WalletDiscovery;
}

/** Starts a discovery, runs the job until it is done, and returns the result. */
async function discover(
  h: typeof withoutExplorer,
  one: Person,
  wallet: string,
  chain_ids = [31337],
): Promise<WalletDiscovery> {
  const { id } = await start(one, wallet, chain_ids);
  while ((await discoverWallets.run(h.app)).hasMore);
  return (await one.client.get(`/wallet-discoveries/${id}`)).body as WalletDiscovery;
}

const relationOf = ({ results }: WalletDiscovery, address: string) =>
  results.find((one) => one.address === address)?.relation;

test("a discovery without an explorer finds contracts that a wallet deployed and tokens that it holds", async () => {
  const token = await node.deploy("Token", 1_000n);
  const desk = await node.deploy("Desk");
  await token.send("transfer", [friend, 10n]);
  await token.send("approve", [desk.address, 5n]);
  const admin = await enterprise(withoutExplorer);
  const found = await discover(withoutExplorer, admin, boss);
  expect(["completed", "partial"]).toContain(found.status);
  expect(found).toMatchObject({ wallet_address: expect.any(String), cached: false, error: null });
  expect([relationOf(found, token.address), relationOf(found, desk.address)]).toEqual([
    "deployed",
    "deployed",
  ]);
  expect(found.results.find(({ address }) => address === token.address)).toMatchObject({
    chain_id: 31337,
    name: "Token",
    contract_type: "erc20",
    category: "token",
    already_imported: false,
    last_interaction_at: expect.any(String),
  });
  const theirs = await discover(withoutExplorer, admin, friend);
  expect(relationOf(theirs, token.address)).toBe("token_held");
  expect(theirs.progress["31337"]).toMatchObject({ found: theirs.results.length });
});

test("a discovery finds contracts of others that a wallet approved, called, owns or holds", async () => {
  const wallet = node.accounts[3] as Hex;
  const [spent, owned, held, called] = [
    await node.deploy("Token", 100n),
    await node.deploy("Token", 100n),
    await node.deploy("Token", 100n),
    await node.deploy("Desk"),
  ];
  const spender = await node.deploy("Desk");
  await spent.send("approve", [spender.address, 5n], { from: wallet });
  await owned.send("transferOwnership", [wallet]);
  await held.send("transfer", [wallet, 7n]);
  await node.transact({ to: called.address, data: "0x" }, { from: wallet });
  const found = await discover(withoutExplorer, await enterprise(withoutExplorer), wallet);
  expect(relationOf(found, spender.address)).toBe("approved");
  expect(relationOf(found, spent.address)).toBe("interacted");
  expect(relationOf(found, owned.address)).toBe("owned");
  expect(relationOf(found, held.address)).toBe("token_held");
  expect(relationOf(found, called.address)).toBe("interacted");
  expect(found.results.find(({ address }) => address === called.address)).toMatchObject({ tx_count: 1 });
});

test("the results of a discovery are cached for a day, across orgs", async () => {
  const [first, second] = [await enterprise(withoutExplorer), await enterprise(withoutExplorer)];
  const found = await discover(withoutExplorer, first, boss);
  const again = await start(second, boss.toUpperCase().replace("0X", "0x").toLowerCase());
  expect(again).toMatchObject({ status: found.status, cached: true });
  expect(again.results.length).toBe(found.results.length);
  expect(again.completed_at).not.toBeNull();
  withoutExplorer.clock.advance(day + 1);
  await second.client.post("/auth/login", {
    email: second.user.email,
    password: "correct horse battery staple",
  });
  expect(await start(second, boss)).toMatchObject({ status: "pending", cached: false, results: [] });
  while ((await discoverWallets.run(withoutExplorer.app)).hasMore);
});

test("a discovery with an explorer finds deployments in its transaction list", async () => {
  const token = await node.deploy("Token", 5n);
  const wallet = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0";
  const row = { from: wallet.toLowerCase(), timeStamp: "1700000000", isError: "0" };
  explorer.respond = (url) => {
    const rows: Record<string, object[]> = {
      txlist: [
        { ...row, to: "", contractAddress: token.address.toLowerCase() },
        { ...row, to: freshAddress(), contractAddress: "" },
      ],
      txlistinternal: [],
    };
    const result = rows[url.searchParams.get("action") ?? ""] ?? [];
    return result.length > 0 ? { body: { status: "1", message: "OK", result } } : noTransactions;
  };
  const found = await discover(withExplorer, await enterprise(withExplorer), wallet);
  expect(found.results).toMatchObject([
    { address: token.address, relation: "deployed", last_interaction_at: "2023-11-14T22:13:20.000Z" },
  ]);
  expect(explorer.requests.at(-1)?.searchParams.get("chainid")).toBe("31337");
});

test("a discovery works with a Blockscout instance as explorer", async () => {
  const token = await node.deploy("Token", 5n);
  const wallet = "0x343c43a37d37dff08ae8c4a11544c718abb4fcf8";
  // The format of its Etherscan-compatible API: numbers as text, checksummed addresses, an empty list for no result.
  const row = {
    from: wallet,
    timeStamp: "1700000000",
    isError: "0",
    txreceipt_status: "1",
    confirmations: "12",
  };
  explorer.respond = (url) => {
    const isSent = url.searchParams.get("action") === "txlist";
    const result = isSent
      ? [{ ...row, to: "", contractAddress: token.address, input: "0x6080", gas: "21000" }]
      : [];
    return { body: { message: isSent ? "OK" : "No transactions found", result, status: isSent ? "1" : "0" } };
  };
  const found = await discover(withExplorer, await enterprise(withExplorer), wallet);
  expect(found.results).toMatchObject([{ address: token.address, relation: "deployed", tx_count: 1 }]);
  explorer.respond = () => ({ body: { message: "Something went wrong.", result: null, status: "0" } });
  const failing = await discover(
    withExplorer,
    await enterprise(withExplorer),
    "0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d",
  );
  expect(failing.progress["31337"]?.error).toContain("explorer");
});

test.each([
  ["is down", () => ({ status: 500, body: "" })],
  [
    "limits the request rate",
    () => ({ body: { status: "0", message: "NOTOK", result: "Max rate limit reached" } }),
  ],
  ["does not return JSON", () => ({ body: "<html>" })],
  [
    "rejects its key",
    () => ({ body: { status: "0", message: "NOTOK", result: "Invalid API Key SECRETKEY12345" } }),
  ],
])("a discovery with an explorer that %s is partial and names the explorer", async (_how, answer) => {
  explorer.respond = answer;
  const wallet = node.accounts[2] as Hex;
  withExplorer.clock.advance(day + 1);
  const found = await discover(withExplorer, await enterprise(withExplorer), wallet);
  expect(found.status).toBe("partial");
  expect(found.progress["31337"]?.error).toContain("explorer");
  expect(JSON.stringify(found)).not.toContain("SECRETKEY");
});

test("a chain that cannot be read fails without failing other chains", async () => {
  const h = await harness({ env: { RPC_LOCAL: node.url, RPC_ETHEREUM: "http://127.0.0.1:1/secret-key" } });
  const admin = await enterprise(h);
  const found = await discover(h, admin, boss, [31337, 1]);
  expect(found.status).toBe("partial");
  expect(found.progress["1"]).toMatchObject({ status: "failed", found: 0 });
  expect(found.progress["31337"]?.found).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain("secret-key");
  const alone = await discover(h, admin, friend, [1]);
  expect(alone).toMatchObject({ status: "failed", results: [] });
});

test("a discovery of slow chains stays claimed by one worker until it is completed", async () => {
  const h = await harness({ env: { RPC_LOCAL: node.url, RPC_ETHEREUM: "http://127.0.0.1:1" } });
  await start(await enterprise(h), freshAddress(), [1, 31337]);
  const others: Promise<{ hasMore: boolean }>[] = [];
  const clientFor: App["chains"]["clientFor"] = () => {
    h.clock.advance(200);
    others.push(runNextDiscovery(h.app));
    throw new ChainError("too slow");
  };
  expect(await runNextDiscovery({ ...h.app, chains: { ...h.app.chains, clientFor: clientFor } })).toEqual({
    hasMore: true,
  });
  expect(await Promise.all(others)).toEqual([{ hasMore: false }, { hasMore: false }]);
});

test("an import of discovered contracts creates new ones, skips existing ones, and reports unknown ones and the quota", async () => {
  for (let n = 0; n < 2; n++) await node.deploy("Token", 1n);
  withoutExplorer.clock.advance(day + 1);
  const admin = await withoutExplorer.person();
  const found = await discover(withoutExplorer, admin, boss);
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
  const person = await withoutExplorer.person();
  const body = () => ({ wallet_address: freshAddress(), chain_ids: [31337] });
  const replies = await sendConcurrently(Array(10).fill(person.client), (client) =>
    client.post("/wallet-discoveries", body()),
  );
  expect(countByStatus(replies)).toEqual({ 202: 2, 403: 8 });
  while ((await discoverWallets.run(withoutExplorer.app)).hasMore);
});

test("a key with a chain scope lists and starts only discoveries on its chains", async () => {
  const admin = await enterprise(withoutExplorer);
  const { id } = await start(admin, freshAddress());
  const [byChain, elsewhere] = [
    await makeKeyClient(withoutExplorer, admin, { chain_scope: [31337] }),
    await makeKeyClient(withoutExplorer, admin, { chain_scope: [1] }),
  ];
  expect((await byChain.get("/wallet-discoveries")).body).toMatchObject([{ id }]);
  expect((await elsewhere.get("/wallet-discoveries")).body).toEqual([]);
  expect((await elsewhere.get(`/wallet-discoveries/${id}`)).status).toBe(404);
  const body = { wallet_address: freshAddress(), chain_ids: [31337] };
  expect(await elsewhere.post("/wallet-discoveries", body)).toMatchObject(errorReply(403, "out_of_scope"));
  while ((await discoverWallets.run(withoutExplorer.app)).hasMore);
});

test.each([
  [{ wallet_address: "nobody", chain_ids: [31337] }, "wallet_address"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [] }, "chain_ids"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [999] }, "chain_ids"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [1399811149] }, "chain_ids"],
])("a discovery of %j gets 422", async (body, field) => {
  const admin = await enterprise(withoutExplorer);
  const reply = await admin.client.post("/wallet-discoveries", body);
  expect(reply.status).toBe(422);
  expect(reply.text).toContain(field);
});

test("a completed discovery is queued for the stream", async () => {
  const admin = await enterprise(withoutExplorer);
  const { id } = await discover(withoutExplorer, admin, freshAddress());
  await sequenceStream.run(withoutExplorer.app);
  const rows = await withoutExplorer.app.db
    .selectFrom("stream_messages")
    .select("event")
    .where("subject_id", "=", id)
    .execute();
  expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(["discovery.updated"]));
});
