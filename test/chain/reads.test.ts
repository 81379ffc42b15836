import { type Hex, pad, toHex } from "viem";
import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { makeChainWorld, pollSeconds } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const [owner, friend] = node.accounts as [Hex, Hex];

const units = (amount: number) => BigInt(amount) * 10n ** 6n;
const makeToken = () => node.deploy("Token", units(1_000_000));

test("a chain of which only state is read continues at the newest block", async () => {
  const token = await makeToken();
  const rule = await world.watch(
    token,
    { target_type: "token_supply" },
    { operator: "gt", threshold: 0, aggregation: "count" },
  );
  for (let mints = 0; mints < 4; mints++) {
    await node.wait(pollSeconds);
    await token.send("mint", [friend, units(1)]);
  }
  await world.catchUp();
  const { id } = await world.target(rule);
  const samples = await world.h.app.db
    .selectFrom("samples")
    .select("value")
    .where("series_id", "=", id)
    .orderBy("height")
    .execute();
  expect(samples.map(({ value }) => value)).toEqual([1_000_004]);
});

test("reading the state of a replaced block fails", async () => {
  const token = await makeToken();
  const id = await node.client.snapshot();
  const gone = await token.send("mint", [friend, 5n]);
  const read = { kind: "call" as const, to: token.address, data: token.encode("totalSupply") };
  const at = { height: Number(gone.blockNumber), hash: gone.blockHash };
  expect(await world.reader.read([read], at)).toEqual([
    { ok: true, data: toHex(units(1_000_000) + 5n, { size: 32 }) },
  ]);
  await node.client.revert({ id });
  await node.mine(2);
  // The first read is known, because nothing is read twice at a block.
  const other = { ...read, data: token.encode("balanceOf", [friend]) };
  const results = await world.reader.read([other], at).catch(() => []);
  expect(results.filter(({ ok }) => ok)).toEqual([]);
  await world.catchUp();
});

test("batched reads through Multicall3 give the same results as single reads", async () => {
  const token = await makeToken();
  const desk = await node.deploy("Desk");
  await node.transact({ to: desk.address }, { value: 7n });
  const { address: multicall3 } = await node.deploy("Multicall");
  const chain = { ...(chainOf("local") as Chain), multicall3 };
  const methods: string[] = [];
  const together = makeEvmReader({
    chain,
    urls: [node.url],
    clock: world.h.clock,
    onRequest: ({ method, calls }) => methods.push(`${calls} ${method}`),
  });
  const reads = [
    { kind: "call" as const, to: token.address, data: token.encode("totalSupply") },
    { kind: "call" as const, to: token.address, data: token.encode("transferFrom", [friend, owner, 1n]) },
    { kind: "call" as const, to: token.address, data: token.encode("balanceOf", [friend]) },
    { kind: "balance" as const, address: desk.address },
    { kind: "storage" as const, address: desk.address, slot: pad("0x0") },
  ];
  const head = await together.head();
  methods.length = 0;
  const results = await together.read(reads, head);
  expect(methods).toEqual(["1 eth_call", "1 eth_getStorageAt"]);
  expect(results).toEqual(await world.reader.read(reads, head));
  expect(results.map(({ ok }) => ok)).toEqual([true, false, true, true, true]);
  await together.close();
});
