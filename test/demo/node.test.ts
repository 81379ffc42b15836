import { createPublicClient, http, numberToHex, parseAbi, toEventSelector } from "viem";
import { afterAll, expect, test } from "vitest";
import { DemoChain } from "../../src/chains/demo/node/chain.ts";
import { serveChain } from "../../src/chains/demo/node/server.ts";
import { addresses, keeper, treasury } from "../../src/chains/demo/story/accounts.ts";
import { listen } from "../support/listen.ts";

const time = 1_800_000_000;
const chain = await DemoChain.open({ seed: "test", time, startsAt: 0 });
for (let made = 1; made <= 40; made++) await chain.advance({ time: time + made * 2, branch: 0 });
const asked: string[] = [];
const server = serveChain(Promise.resolve({ chain, request: (name) => asked.push(name) }));
const { url, close } = await listen(server);
afterAll(close);
const client = createPublicClient({ transport: http(url, { batch: true }) });

async function send(body: unknown): Promise<{ error?: { code: number }; result?: unknown }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (await fetch(url, { method: "POST", body: text })).json() as never;
}
const rpc = (method: string, params: unknown[]) => send({ jsonrpc: "2.0", id: 1, method, params });

test("a client reads the head, blocks, receipts and logs that agree with each other", async () => {
  expect(await client.getBlockNumber()).toBe(40n);
  const block = await client.getBlock({ blockNumber: 1n, includeTransactions: true });
  expect(await client.getBlock({ blockHash: block.hash })).toMatchObject({ number: 1n });
  const { result } = await rpc("eth_getBlockReceipts", ["0x1"]);
  const receipts = result as { transactionHash: string; logs: unknown[]; contractAddress: string | null }[];
  expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
    block.transactions.map(({ hash }) => hash),
  );
  const logs = await client.getLogs({ fromBlock: 1n, toBlock: 1n });
  expect(logs).toHaveLength(receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0));
  const last = receipts.at(-1)?.transactionHash as `0x${string}`;
  expect(await client.getTransactionReceipt({ hash: last })).toMatchObject({ status: "success" });
  expect(await client.getTransaction({ hash: last })).toMatchObject({ from: treasury, blockNumber: 1n });
});

test("logs are filtered by address and topics", async () => {
  const transfer = toEventSelector("Transfer(address,address,uint256)");
  const filter = { fromBlock: "0x1", toBlock: "latest", address: [addresses.usd], topics: [[transfer]] };
  const { result } = await rpc("eth_getLogs", [filter]);
  const found = result as { address: string; topics: string[] }[];
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ address, topics }) => `${address} ${topics[0]}`))).toEqual(
    new Set([`${addresses.usd} ${transfer}`]),
  );
});

test("contracts are called at past blocks, and a call that reverts says why", async () => {
  const abi = parseAbi([
    "function totalSupply() view returns (uint256)",
    "function update(int256)",
    "error Error(string)",
  ]);
  const supply = { address: addresses.usd, abi, functionName: "totalSupply" } as const;
  expect(await client.readContract({ ...supply, blockNumber: 1n })).toBe(88_000_000n * 10n ** 6n);
  await expect(client.readContract({ ...supply, blockNumber: 0n })).rejects.toThrow(/no data/);
  const update = { address: addresses.feed, abi, functionName: "update", args: [1n] } as const;
  await expect(client.simulateContract({ ...update, account: treasury })).rejects.toThrow(/only the keeper/);
  await expect(client.simulateContract({ ...update, account: keeper })).resolves.toBeDefined();
});

test("code, storage, balances and nonces are those of the block", async () => {
  expect(await client.getCode({ address: addresses.usd })).toMatch(/^0x60/);
  expect(await client.getCode({ address: addresses.usd, blockNumber: 0n })).toBeUndefined();
  const implementation = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
  const slot = await client.getStorageAt({ address: addresses.lending, slot: implementation });
  expect(slot).toBe(`0x${"0".repeat(24)}${addresses.lendingCode.slice(2)}`);
  expect(await client.getTransactionCount({ address: keeper, blockNumber: 1n })).toBe(1);
  const [before, after] = [
    await client.getBalance({ address: keeper, blockNumber: 0n }),
    await client.getBalance({ address: keeper }),
  ];
  expect(after).toBeLessThan(before);
});

test("what the node does not know is an error with its code, or null", async () => {
  expect((await rpc("debug_traceBlockByHash", [])).error?.code).toBe(-32601);
  expect((await rpc("constructor", [])).error?.code).toBe(-32601);
  expect((await rpc("eth_getBalance", ["nobody", "latest"])).error?.code).toBe(-32602);
  expect((await rpc("eth_getBalance", [treasury, numberToHex(41)])).error?.code).toBe(-32000);
  expect((await rpc("eth_getBlockByNumber", [numberToHex(41), false])).result).toBeNull();
  expect((await send("{")).error?.code).toBe(-32700);
  expect((await send("x".repeat(1_000_001))).error?.code).toBe(-32600);
});

test("an incident can be asked for by its name", async () => {
  expect((await rpc("demo_requestIncident", ["upgrade"])).result).toBe(true);
  expect((await rpc("demo_requestIncident", ["flood"])).error?.code).toBe(-32602);
  expect(asked).toEqual(["upgrade"]);
});
