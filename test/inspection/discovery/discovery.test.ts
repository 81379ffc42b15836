import { getAddress, type Hex } from "viem";
import { expect, test } from "vitest";
import { discoverWallets } from "../../../src/jobs/discover-wallets.ts";
import type { WalletDiscovery } from "../../../src/wire/imports/discoveries.ts";
import { freshAddress } from "../../api/contracts/contract-steps.ts";
import { day } from "../../api/steps.ts";
import { startNode } from "../../chain/node.ts";
import { harness } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { startServiceStub } from "../service-stubs.ts";
import { makeEnterpriseAdmin, runDiscovery, startDiscovery } from "./discovery-steps.ts";

const node = await startNode();
const explorer = await startServiceStub(() => noTransactions);
const noTransactions = { body: { status: "0", message: "No transactions found", result: [] } };
const withoutExplorer = await harness({ env: { RPC_LOCAL: node.url } });
const withExplorer = await harness({
  env: { RPC_LOCAL: node.url, ETHERSCAN_URL: `${explorer.url}/v2/api`, ETHERSCAN_API_KEY: "SECRETKEY12345" },
});
const [boss, friend] = node.accounts as [Hex, Hex];

const relationOf = ({ results }: WalletDiscovery, address: string) =>
  results.find((result) => result.address === address)?.relation;

test("a discovery without an explorer finds contracts that a wallet deployed and tokens that it holds", async () => {
  const token = await node.deploy("Token", 1_000n);
  const desk = await node.deploy("Desk");
  await token.send("transfer", [friend, 10n]);
  await token.send("approve", [desk.address, 5n]);
  const admin = await makeEnterpriseAdmin(withoutExplorer);
  const found = await runDiscovery(withoutExplorer, admin, boss);
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
  const theirs = await runDiscovery(withoutExplorer, admin, friend);
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
  const found = await runDiscovery(withoutExplorer, await makeEnterpriseAdmin(withoutExplorer), wallet);
  expect(relationOf(found, spender.address)).toBe("approved");
  expect(relationOf(found, spent.address)).toBe("interacted");
  expect(relationOf(found, owned.address)).toBe("owned");
  expect(relationOf(found, held.address)).toBe("token_held");
  expect(relationOf(found, called.address)).toBe("interacted");
  expect(found.results.find(({ address }) => address === called.address)).toMatchObject({ tx_count: 1 });
});

test("a discovery finds the wallet itself, and wallets that it sent transactions to or approved, after contracts", async () => {
  const wallet = node.accounts[4] as Hex;
  const [keeper, spender] = [getAddress(freshAddress()), getAddress(freshAddress())];
  const token = await node.deploy("Token", 100n);
  await node.transact({ to: keeper }, { from: wallet, value: 1n });
  await token.send("approve", [spender, 5n], { from: wallet });
  const admin = await makeEnterpriseAdmin(withoutExplorer);
  const found = await runDiscovery(withoutExplorer, admin, wallet);
  const wallets = found.results.filter(({ contract_type }) => contract_type === "wallet");
  expect(wallets.map(({ address, relation, category }) => ({ address, relation, category }))).toEqual([
    { address: found.wallet_address, relation: "owned", category: "wallet" },
    { address: spender, relation: "approved", category: "wallet" },
    { address: keeper, relation: "interacted", category: "wallet" },
  ]);
  expect(found.results.slice(-3)).toEqual(wallets);
  const imported = await admin.client.post(`/wallet-discoveries/${found.id}/import`, {
    addresses: [{ address: keeper, chain_id: 31337, enable_suggested_targets: true }],
  });
  expect(imported.body).toMatchObject({ imported: 1, failed: 0 });
  const { body } = await admin.client.get("/contracts");
  expect(body).toMatchObject([{ address: keeper }]);
});

longTest("a discovery with more than fifty wallets says how many it does not show", async () => {
  const wallet = node.accounts[5] as Hex;
  for (let sent = 0; sent < 51; sent++)
    await node.transact({ to: getAddress(freshAddress()) }, { from: wallet, value: 1n });
  const found = await runDiscovery(withoutExplorer, await makeEnterpriseAdmin(withoutExplorer), wallet);
  expect(found.results.filter(({ contract_type }) => contract_type === "wallet")).toHaveLength(50);
  expect(found.progress["31337"]?.error).toContain("Only the 50 closest of 52 wallets are shown.");
});

test("the results of a discovery are cached for a day, across orgs", async () => {
  const [first, second] = [
    await makeEnterpriseAdmin(withoutExplorer),
    await makeEnterpriseAdmin(withoutExplorer),
  ];
  const found = await runDiscovery(withoutExplorer, first, boss);
  const again = await startDiscovery(second, boss.toUpperCase().replace("0X", "0x").toLowerCase());
  expect(again).toMatchObject({ status: found.status, cached: true });
  expect(again.results.length).toBe(found.results.length);
  expect(again.completed_at).not.toBeNull();
  withoutExplorer.clock.advance(day + 1);
  await second.client.post("/auth/login", {
    email: second.user.email,
    password: "correct horse battery staple",
  });
  expect(await startDiscovery(second, boss)).toMatchObject({ status: "pending", cached: false, results: [] });
  while ((await discoverWallets.run(withoutExplorer.app)).hasMore);
});

test("a discovery with an explorer finds deployments in its transaction list", async () => {
  const token = await node.deploy("Token", 5n);
  const wallet = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0";
  const keeper = getAddress(freshAddress());
  const row = { from: wallet.toLowerCase(), timeStamp: "1700000000", isError: "0" };
  explorer.respond = (url) => {
    const rows: Record<string, object[]> = {
      txlist: [
        { ...row, to: "", contractAddress: token.address.toLowerCase() },
        { ...row, to: keeper, contractAddress: "" },
      ],
      txlistinternal: [],
    };
    const result = rows[url.searchParams.get("action") ?? ""] ?? [];
    return result.length > 0 ? { body: { status: "1", message: "OK", result } } : noTransactions;
  };
  const found = await runDiscovery(withExplorer, await makeEnterpriseAdmin(withExplorer), wallet);
  expect(found.results).toMatchObject([
    { address: token.address, relation: "deployed", last_interaction_at: "2023-11-14T22:13:20.000Z" },
    { address: keeper, relation: "interacted", contract_type: "wallet", tx_count: 1 },
  ]);
  expect(explorer.requests.at(-1)?.searchParams.get("chainid")).toBe("31337");
});

longTest("a discovery works with a Blockscout instance as explorer", async () => {
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
  const found = await runDiscovery(withExplorer, await makeEnterpriseAdmin(withExplorer), wallet);
  expect(found.results).toMatchObject([{ address: token.address, relation: "deployed", tx_count: 1 }]);
  explorer.respond = () => ({ body: { message: "Something went wrong.", result: null, status: "0" } });
  const failing = await runDiscovery(
    withExplorer,
    await makeEnterpriseAdmin(withExplorer),
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
])("a discovery with an explorer that %s is partial and names the explorer", async (_how, respond) => {
  explorer.respond = respond;
  const wallet = node.accounts[2] as Hex;
  withExplorer.clock.advance(day + 1);
  const found = await runDiscovery(withExplorer, await makeEnterpriseAdmin(withExplorer), wallet);
  expect(found.status).toBe("partial");
  expect(found.progress["31337"]?.error).toContain("explorer");
  expect(JSON.stringify(found)).not.toContain("SECRETKEY");
});

test("a chain that cannot be read fails without failing other chains", async () => {
  const h = await harness({ env: { RPC_LOCAL: node.url, RPC_ETHEREUM: "http://127.0.0.1:1/secret-key" } });
  const admin = await makeEnterpriseAdmin(h);
  const found = await runDiscovery(h, admin, boss, [31337, 1]);
  expect(found.status).toBe("partial");
  expect(found.progress["1"]).toMatchObject({ status: "failed", found: 0 });
  expect(found.progress["31337"]?.found).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain("secret-key");
  const alone = await runDiscovery(h, admin, friend, [1]);
  expect(alone).toMatchObject({ status: "failed", results: [] });
});
