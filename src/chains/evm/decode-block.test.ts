import { encodeAbiParameters, encodeFunctionData, toEventSelector } from "viem";
import { expect, test } from "vitest";
import { makePause } from "../../lib/concurrency/pauses.ts";
import { runHere } from "../../lib/concurrency/worker-pool.ts";
import type { Block, Log, Transaction } from "../block.ts";
import { givenInterface } from "../decoding/stored-interfaces.ts";
import { chainOf } from "../index.ts";
import { decodeEvmBlock } from "./decode-block.ts";
import { compileEvmEvent } from "./named-item.ts";
import { compileEvmSubject } from "./subject.ts";

const address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const parameter = (name: string) => ({ name, type: "uint256[]" });
const interfaceWith = (name: string) => [
  { type: "event", name: "Spread", inputs: [parameter(name)] },
  { type: "function", name: "spread", inputs: [parameter(name)], outputs: [] },
];

/** Contracts at one address, each of another organisation, with an ABI of its own that may be equal to that of others. */
async function watch(
  count: number,
  { abi = interfaceWith("list"), implementation_abi = [] as unknown } = {},
) {
  const chain = chainOf("ethereum") ?? expect.fail("ethereum is missing");
  const compile = () =>
    compileEvmSubject(
      {
        ...{ chain, address, code: null },
        abi: givenInterface(structuredClone(abi)),
        implementation_abi: givenInterface(implementation_abi),
      },
      runHere,
    );
  return Promise.all(
    Array.from({ length: count }, async () => ({ subject: await compile(), code: undefined })),
  );
}

type Contract = Awaited<ReturnType<typeof watch>>[number];

async function decode(contracts: Contract[], block: Block) {
  const at = (queried: string) => (queried === address ? contracts : []);
  const monitored = { at, on: () => [], needsTraces: () => false };
  const activities = await decodeEvmBlock(block, monitored, makePause());
  return contracts.map((contract) => activities.get(contract));
}

/** A block with one log and one call, of new objects and new values at each call. */
function makeBlock(value: bigint): Block {
  const inputs = [{ name: "list", type: "uint256[]" }] as const;
  const values = [[value, value]] as const;
  const log = {
    address,
    topics: [toEventSelector("Spread(uint256[])")],
    data: encodeAbiParameters(inputs, values),
  };
  const input = encodeFunctionData({
    abi: [{ type: "function", name: "spread", inputs, outputs: [], stateMutability: "view" }],
    args: values,
  });
  const tx = { hash: "0x1", index: 0, from: "0x2", to: address, input };
  return {
    height: 1,
    time: 1,
    transactions: [tx as Transaction],
    logs: [{ ...log, tx_index: 0, tx_hash: "0x1" } as Log],
  } as Block;
}

/** Counts how often the layouts of a contract are read by the decoder. */
function countReads([contract]: Contract[]) {
  const count = { reads: 0 };
  for (const index of [contract?.subject.abi?.events, contract?.subject.abi?.functions]) {
    for (const entry of [...(index?.values() ?? [])].flat()) {
      const { fields } = entry;
      const get = () => {
        count.reads += 1;
        return fields;
      };
      Object.defineProperty(entry, "fields", { get });
    }
  }
  return count;
}

test("a log and a call at an address that 1,000 organisations watch are decoded once, with the same results", async () => {
  const contracts = await watch(1_000, { abi: interfaceWith("hot") });
  const count = countReads(contracts);
  const [alone] = await decode(contracts.slice(0, 1), makeBlock(1n));
  const readsOfOne = count.reads;
  expect(readsOfOne).toBeGreaterThan(0);
  const all = await decode(contracts, makeBlock(2n));
  expect(count.reads).toBe(2 * readsOfOne);
  expect(alone?.events[0]?.decoded?.args).toEqual({ hot: [1n, 1n], $0: [1n, 1n] });
  for (const activity of all) {
    expect(activity?.events.map(({ decoded }) => decoded?.args)).toEqual([{ hot: [2n, 2n], $0: [2n, 2n] }]);
    expect(activity?.calls.map(({ decoded }) => decoded?.args)).toEqual([{ hot: [2n, 2n], $0: [2n, 2n] }]);
  }
});

test("data that no layout fits is tried once", async () => {
  const contracts = await watch(100, { abi: interfaceWith("broken") });
  const count = countReads(contracts);
  const short = (block: Block): Block => ({
    ...block,
    transactions: [],
    logs: block.logs.map((log) => ({ ...log, data: "0x01" })),
  });
  await decode(contracts.slice(0, 1), short(makeBlock(1n)));
  const readsOfOne = count.reads;
  const all = await decode(contracts, short(makeBlock(1n)));
  expect(count.reads).toBe(2 * readsOfOne);
  expect(all.map((activity) => activity?.events[0]?.decoded)).toEqual(contracts.map(() => undefined));
});

test("proxies of different organisations share what the ABI of their implementation decodes", async () => {
  const implementation_abi = interfaceWith("behind");
  const pause = (name: string) => [{ type: "event", name, inputs: [] }];
  const [first, second] = await Promise.all(
    ["A", "B"].map((name) => watch(1, { abi: pause(name) as never, implementation_abi })),
  );
  const contracts = [...(first ?? []), ...(second ?? [])];
  const count = countReads(contracts);
  await decode(contracts.slice(0, 1), makeBlock(1n));
  const readsOfOne = count.reads;
  const [one, other] = await decode(contracts, makeBlock(2n));
  expect(count.reads).toBe(2 * readsOfOne);
  expect(other).toEqual(one);
});

test("a contract with another ABI is decoded by its own, in every order and after others", async () => {
  const shared = await watch(2);
  const own = await watch(1, { abi: interfaceWith("mine") });
  const unknown = await watch(1, { abi: [] });
  const block = makeBlock(3n);
  for (const contracts of [
    [...shared, ...own, ...unknown],
    [...unknown, ...own, ...shared],
  ]) {
    const named = (await decode(contracts, block)).map((activity) => [
      Object.keys(activity?.events[0]?.decoded?.args ?? {})[0],
      Object.keys(activity?.calls[0]?.decoded?.args ?? {})[0],
    ]);
    const expected = contracts.map((contract) =>
      own.includes(contract) ? "mine" : unknown.includes(contract) ? undefined : "list",
    );
    expect(named).toEqual(expected.map((name) => [name, name]));
  }
});

test("rules with the same signature share what it decodes, and a changed log is decoded again", () => {
  const [log] = makeBlock(4n).logs;
  const [changed] = makeBlock(5n).logs;
  const [first, second] = [1, 2].map(() => compileEvmEvent("Spread(uint256[] shared)"));
  const match = (item: typeof first, data = log?.data) =>
    item?.match({ topics: log?.topics ?? [], data: data ?? "0x", decoded: undefined })?.decoded;
  expect(match(first)?.args.shared).toEqual([4n, 4n]);
  expect(match(second)).toBe(match(first));
  expect(match(second, changed?.data)?.args.shared).toEqual([5n, 5n]);
});
