import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, keccak256, pad, toHex } from "viem";
import { afterAll, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { openChainClients } from "../../src/chains/open-chain-clients.ts";
import { ChainError } from "../../src/chains/reader.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { startNode } from "../chain/node.ts";

const node = await startNode();
const [boss, friend] = node.accounts as [Hex, Hex];
const local = chainOf("local") as Chain;
const spans: number[] = [];

/** An endpoint that limits logs to ranges of ten blocks, like many hosted ones. */
const limitedEndpoint = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const { id, method, params } = JSON.parse(body) as {
    id: number;
    method: string;
    params: { fromBlock: Hex; toBlock: Hex }[];
  };
  const span = method === "eth_getLogs" ? Number(params[0]?.toBlock) - Number(params[0]?.fromBlock) + 1 : 0;
  if (method === "eth_getLogs") spans.push(span);
  const error = { code: -32602, message: "eth_getLogs is limited to a 10 block range" };
  const reply =
    span > 10
      ? { jsonrpc: "2.0", id, error }
      : await (await fetch(node.url, { method: "POST", body })).json();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(reply));
});
await new Promise<void>((resolve) => limitedEndpoint.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(limitedEndpoint.address() as AddressInfo).port}`;
const chains = openChainClients({ rpc: new Map([["local", [url]]]), clock: systemClock });
afterAll(async () => {
  await chains.close();
  limitedEndpoint.closeAllConnections();
  limitedEndpoint.close();
});

const transfer = keccak256(toHex("Transfer(address,address,uint256)"));

test("code, nonces, balances, slots and calls are read at one block, and fail independently", async () => {
  const token = await node.deploy("Token", 5n);
  const pinned = await chains.clientFor(local).pinLatestBlock();
  const supply = token.encode("totalSupply");
  await token.send("mint", [friend, 1n]);
  const results = await pinned.read([
    { kind: "code", address: token.address },
    { kind: "code", address: friend },
    { kind: "nonce", address: boss },
    { kind: "call", to: token.address, data: supply },
    { kind: "call", to: token.address, data: "0xffffffff" },
    { kind: "storage", address: friend, slot: pad("0x0") },
    { kind: "balance", address: friend },
  ]);
  const code = await node.client.getCode({ address: token.address });
  expect(results[0]).toEqual({ ok: true, data: code });
  expect(results[1]).toEqual({ ok: true, data: "0x" });
  expect(results[2]).toEqual({ ok: true, data: pad("0x1") });
  expect(results[3]).toEqual({ ok: true, data: pad("0x5") });
  expect(results[4]).toMatchObject({ ok: false });
  expect(results[5]).toEqual({ ok: true, data: pad("0x0") });
  expect(results[6]).toEqual({ ok: true, data: pad(toHex(10_000n * 10n ** 18n)) });
});

test("logs are searched in ranges that the endpoint accepts, newest first, by address and topic", async () => {
  const token = await node.deploy("Token", 5n);
  await token.send("transfer", [friend, 1n]);
  await node.mine(30);
  await token.send("transfer", [friend, 2n]);
  const client = chains.clientFor(local);
  const { block } = await client.pinLatestBlock();
  const filter = { addresses: [token.address], topics: [transfer, pad(boss)], from: 0, to: block.height };
  const found = await client.logs(filter);
  expect(found).toMatchObject({ is_complete: true, searched_from: 0 });
  expect(found.logs.map(({ data }) => BigInt(data))).toEqual([2n, 1n]);
  expect(found.logs[0]).toMatchObject({ address: token.address, height: block.height });
  expect(Math.max(...spans.slice(1))).toBe(10);
  const short = await client.logs({ ...filter, maxRequests: 2 });
  expect(short.is_complete).toBe(false);
  expect(short.searched_from).toBe(block.height - 9);
  expect(short.logs).toHaveLength(1);
});

test("a chain that is not enabled has no client", () => {
  expect(() => chains.clientFor(chainOf("ethereum") as Chain)).toThrow(ChainError);
});
