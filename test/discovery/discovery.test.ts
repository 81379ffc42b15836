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
import { program } from "../api/orgs/keys.ts";
import { atOnce, day, refused, tally } from "../api/steps.ts";
import { startNode } from "../chain/node.ts";
import { harness, type Person } from "../harness.ts";
import { startStandIn } from "../inspection/service-stubs.ts";

const node = await startNode();
const explorer = await startStandIn(() => nothing);
const nothing = { body: { status: "0", message: "No transactions found", result: [] } };
const plain = await harness({ env: { RPC_LOCAL: node.url } });
const explored = await harness({
  env: { RPC_LOCAL: node.url, ETHERSCAN_URL: `${explorer.url}/v2/api`, ETHERSCAN_API_KEY: "SECRETKEY12345" },
});
const [boss, friend] = node.accounts as [Hex, Hex];

async function enterprise(h: typeof plain): Promise<Person> {
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

/** Begins, lets the job work, and reads the outcome. */
async function discover(
  h: typeof plain,
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

test("plain nodes tell what a wallet made, owns, approved, called and holds, and what could not be seen", async () => {
  const token = await node.deploy("Token", 1_000n);
  const desk = await node.deploy("Desk");
  await token.send("transfer", [friend, 10n]);
  await token.send("approve", [desk.address, 5n]);
  const admin = await enterprise(plain);
  const found = await discover(plain, admin, boss);
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
  const theirs = await discover(plain, admin, friend);
  expect(relationOf(theirs, token.address)).toBe("token_held");
  expect(theirs.progress["31337"]).toMatchObject({ found: theirs.results.length });
});

test("what others made is found by what a wallet approved, called, owns and holds", async () => {
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
  const found = await discover(plain, await enterprise(plain), wallet);
  expect(relationOf(found, spender.address)).toBe("approved");
  expect(relationOf(found, spent.address)).toBe("interacted");
  expect(relationOf(found, owned.address)).toBe("owned");
  expect(relationOf(found, held.address)).toBe("token_held");
  expect(relationOf(found, called.address)).toBe("interacted");
  expect(found.results.find(({ address }) => address === called.address)).toMatchObject({ tx_count: 1 });
});

test("what was found is there at once for a day, for everybody", async () => {
  const [first, second] = [await enterprise(plain), await enterprise(plain)];
  const found = await discover(plain, first, boss);
  const again = await start(second, boss.toUpperCase().replace("0X", "0x").toLowerCase());
  expect(again).toMatchObject({ status: found.status, cached: true });
  expect(again.results.length).toBe(found.results.length);
  expect(again.completed_at).not.toBeNull();
  plain.clock.advance(day + 1);
  await second.client.post("/auth/login", {
    email: second.user.email,
    password: "correct horse battery staple",
  });
  expect(await start(second, boss)).toMatchObject({ status: "pending", cached: false, results: [] });
  while ((await discoverWallets.run(plain.app)).hasMore);
});

test("an explorer tells the past, by its own rows", async () => {
  const token = await node.deploy("Token", 5n);
  const wallet = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0";
  const row = { from: wallet.toLowerCase(), timeStamp: "1700000000", isError: "0" };
  explorer.answer = (url) => {
    const rows: Record<string, object[]> = {
      txlist: [
        { ...row, to: "", contractAddress: token.address.toLowerCase() },
        { ...row, to: freshAddress(), contractAddress: "" },
      ],
      txlistinternal: [],
    };
    const result = rows[url.searchParams.get("action") ?? ""] ?? [];
    return result.length > 0 ? { body: { status: "1", message: "OK", result } } : nothing;
  };
  const found = await discover(explored, await enterprise(explored), wallet);
  expect(found.results).toMatchObject([
    { address: token.address, relation: "deployed", last_interaction_at: "2023-11-14T22:13:20.000Z" },
  ]);
  expect(explorer.asked.at(-1)?.searchParams.get("chainid")).toBe("31337");
});

test("a Blockscout instance is asked in the same way, by its own rows", async () => {
  const token = await node.deploy("Token", 5n);
  const wallet = "0x343c43a37d37dff08ae8c4a11544c718abb4fcf8";
  // As its Etherscan-like API answers: numbers as text, checksummed addresses, and an empty list for nothing.
  const row = {
    from: wallet,
    timeStamp: "1700000000",
    isError: "0",
    txreceipt_status: "1",
    confirmations: "12",
  };
  explorer.answer = (url) => {
    const isSent = url.searchParams.get("action") === "txlist";
    const result = isSent
      ? [{ ...row, to: "", contractAddress: token.address, input: "0x6080", gas: "21000" }]
      : [];
    return { body: { message: isSent ? "OK" : "No transactions found", result, status: isSent ? "1" : "0" } };
  };
  const found = await discover(explored, await enterprise(explored), wallet);
  expect(found.results).toMatchObject([{ address: token.address, relation: "deployed", tx_count: 1 }]);
  explorer.answer = () => ({ body: { message: "Something went wrong.", result: null, status: "0" } });
  const failing = await discover(
    explored,
    await enterprise(explored),
    "0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d",
  );
  expect(failing.progress["31337"]?.error).toContain("explorer");
});

test.each([
  ["is down", () => ({ status: 500, body: "" })],
  ["limits", () => ({ body: { status: "0", message: "NOTOK", result: "Max rate limit reached" } })],
  ["talks nonsense", () => ({ body: "<html>" })],
  [
    "refuses its key",
    () => ({ body: { status: "0", message: "NOTOK", result: "Invalid API Key SECRETKEY12345" } }),
  ],
])("an explorer that %s is named, and the nodes tell the rest", async (_how, answer) => {
  explorer.answer = answer;
  const wallet = node.accounts[2] as Hex;
  explored.clock.advance(day + 1);
  const found = await discover(explored, await enterprise(explored), wallet);
  expect(found.status).toBe("partial");
  expect(found.progress["31337"]?.error).toContain("explorer");
  expect(JSON.stringify(found)).not.toContain("SECRETKEY");
});

test("a chain that cannot be read fails for itself", async () => {
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

test("a discovery of many slow chains is one worker's until it is done", async () => {
  const h = await harness({ env: { RPC_LOCAL: node.url, RPC_ETHEREUM: "http://127.0.0.1:1" } });
  await start(await enterprise(h), freshAddress(), [1, 31337]);
  const others: Promise<{ hasMore: boolean }>[] = [];
  const ask: App["chains"]["clientFor"] = () => {
    h.clock.advance(200);
    others.push(runNextDiscovery(h.app));
    throw new ChainError("too slow");
  };
  expect(await runNextDiscovery({ ...h.app, chains: { ...h.app.chains, clientFor: ask } })).toEqual({
    hasMore: true,
  });
  expect(await Promise.all(others)).toEqual([{ hasMore: false }, { hasMore: false }]);
});

test("what was found is imported: new ones in, known ones skipped, strangers and the quota named", async () => {
  for (let n = 0; n < 2; n++) await node.deploy("Token", 1n);
  plain.clock.advance(day + 1);
  const admin = await plain.person();
  const found = await discover(plain, admin, boss);
  const [first, second] = found.results.filter(({ contract_type }) => contract_type === "erc20");
  const take = async (addresses: object[]) => {
    const reply = await admin.client.post(`/wallet-discoveries/${found.id}/import`, { addresses });
    expect(reply.status).toBe(200);
    return reply.body as DiscoveryImportResult;
  };
  const one = { address: first?.address, chain_id: 31337, enable_suggested_targets: true };
  expect(await take([one])).toEqual({ imported: 1, skipped: 0, failed: 0, errors: [] });
  const [contract] = (await admin.client.get("/contracts")).body as Contract[];
  expect(contract).toMatchObject({ address: first?.address, status: "MONITORING", label: "Token" });
  expect(contract?.targets_count).toBeGreaterThan(0);
  const mixed = await take([
    { ...one, address: first?.address.toLowerCase() },
    { address: second?.address, chain_id: 31337 },
    { address: freshAddress(), chain_id: 31337 },
  ]);
  expect(mixed).toMatchObject({ imported: 1, skipped: 1, failed: 1, errors: [{ code: "not_found" }] });
  const again = (await admin.client.get(`/wallet-discoveries/${found.id}`)).body as WalletDiscovery;
  expect(again.results.filter(({ already_imported }) => already_imported)).toHaveLength(2);
  const rest = found.results.map(({ address, chain_id }) => ({ address, chain_id }));
  const full = await take(rest);
  expect(full.imported + full.skipped + full.failed).toBe(rest.length);
  expect((await admin.client.get("/contracts")).body).toHaveLength(Math.min(5, rest.length));
});

test("the day's quota holds, however many ask at once", async () => {
  const person = await plain.person();
  const body = () => ({ wallet_address: freshAddress(), chain_ids: [31337] });
  const replies = await atOnce(Array(10).fill(person.client), (client) =>
    client.post("/wallet-discoveries", body()),
  );
  expect(tally(replies)).toEqual({ 202: 2, 403: 8 });
  while ((await discoverWallets.run(plain.app)).hasMore);
});

test("a key that is restricted sees and starts what is on its chains", async () => {
  const admin = await enterprise(plain);
  const { id } = await start(admin, freshAddress());
  const [byChain, elsewhere] = [
    await program(plain, admin, { chain_scope: [31337] }),
    await program(plain, admin, { chain_scope: [1] }),
  ];
  expect((await byChain.get("/wallet-discoveries")).body).toMatchObject([{ id }]);
  expect((await elsewhere.get("/wallet-discoveries")).body).toEqual([]);
  expect((await elsewhere.get(`/wallet-discoveries/${id}`)).status).toBe(404);
  const body = { wallet_address: freshAddress(), chain_ids: [31337] };
  expect(await elsewhere.post("/wallet-discoveries", body)).toMatchObject(refused(403, "out_of_scope"));
  while ((await discoverWallets.run(plain.app)).hasMore);
});

test.each([
  [{ wallet_address: "nobody", chain_ids: [31337] }, "wallet_address"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [] }, "chain_ids"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [999] }, "chain_ids"],
  [{ wallet_address: `0x${"1".repeat(40)}`, chain_ids: [1399811149] }, "chain_ids"],
])("%j is refused", async (body, field) => {
  const admin = await enterprise(plain);
  const reply = await admin.client.post("/wallet-discoveries", body);
  expect(reply.status).toBe(422);
  expect(reply.text).toContain(field);
});

test("a discovery that ends is heard on the stream's queue", async () => {
  const admin = await enterprise(plain);
  const { id } = await discover(plain, admin, freshAddress());
  await sequenceStream.run(plain.app);
  const rows = await plain.app.db
    .selectFrom("stream_messages")
    .select("event")
    .where("subject_id", "=", id)
    .execute();
  expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(["discovery.updated"]));
});
