import { gzipSync } from "node:zlib";
import { parseAbiItem, toEventSelector } from "viem";
import { afterAll, expect, test } from "vitest";
import type { Subject } from "../../src/chains/activity.ts";
import type { Block, Hex } from "../../src/chains/block.ts";
import { givenInterface } from "../../src/chains/decoding/stored-interfaces.ts";
import { abiOf } from "../../src/chains/evm/abi/abi.ts";
import { decodeLog } from "../../src/chains/evm/abi/decode.ts";
import { compileStoredAbi } from "../../src/chains/evm/abi/stored-abi.ts";
import { packAccount } from "../../src/chains/solana/accounts/account-state.ts";
import { tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { decodeSolanaBlock } from "../../src/chains/solana/decode-block.ts";
import { solanaDiscovery } from "../../src/chains/solana/discover-accounts.ts";
import { compileStoredIdl } from "../../src/chains/solana/idl/stored-idl.ts";
import { functionsInCode } from "../../src/inspection/abi/bytecode.ts";
import { makePause } from "../../src/lib/concurrency/pauses.ts";
import { makeWorkerPool, type Offload } from "../../src/lib/concurrency/worker-pool.ts";
import { solanaInstruction } from "../../src/meters/solana/solana-instruction.ts";
import { metadataAccount, metadataProgram } from "../solana/cluster/metadata-account.ts";
import { bundledEntry } from "../support/bundle.ts";
import { longTest } from "../support/run-size.ts";
import { measureStandstill } from "./loop-probe.ts";
import { maxStandstillMs } from "./world.ts";

const pool = makeWorkerPool({ maxWaitMs: 60_000, locate: bundledEntry });
afterAll(() => pool.close());

function offloading() {
  const tasks: string[] = [];
  const offload: Offload = (task, input) => {
    tasks.push(task.name);
    return pool.run(task, "org", input);
  };
  return { tasks, offload };
}

/** Code with many functions that all loop over branches on their arguments: its analysis takes more than ten seconds. */
function slowCode(functions: number, branches: number): Hex {
  const bytes = [0x5f, 0x35, 0x60, 0xe0, 0x1c];
  const body = bytes.length + functions * 11 + 3;
  const word = (value: number) => [value >> 8, value & 255] as const;
  for (let n = 0; n < functions; n++)
    bytes.push(0x80, 0x63, 0x10, 0, ...word(n), 0x14, 0x61, ...word(body), 0x57);
  bytes.push(0x5f, 0x5f, 0xfd, 0x5b);
  for (let n = 0; n < branches; n++)
    bytes.push(0x61, 0, 4 + (n % 6) * 32, 0x35, 0x61, ...word(bytes.length + 8), 0x57, 0x5b);
  bytes.push(0x61, ...word(body), 0x56);
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

longTest(
  "the analysis of hostile bytecode is ended at its deadline, in the middle of WebAssembly",
  async () => {
    const { offload } = offloading();
    const { result, cpuMs } = await measureStandstill(() => functionsInCode(offload, slowCode(2_000, 1_000)));
    expect(result).toEqual({ functions: [], problem: "The bytecode takes more than 3 seconds to process." });
    expect(cpuMs).toBeLessThan(maxStandstillMs);
    expect(pool.counts().running).toBe(0);
    // The thread has ended: the process uses next to no time any more.
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 400));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(350);
    // A stored failure costs nothing.
    expect(
      (await functionsInCode(() => expect.fail("analysed again"), slowCode(2_000, 1_000))).problem,
    ).not.toBeNull();
  },
);

/** A log with an array of different addresses, of which each needs a checksum. */
function logOfAddresses(count: number) {
  const item = parseAbiItem("event Spread(address[] list)");
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const words = Array.from({ length: count }, (_, n) => word(n + 1));
  const log = { topics: [toEventSelector(item)], data: `0x${word(32)}${word(count)}${words.join("")}` };
  return { abi: abiOf([item]), log };
}

test("a log of three megabytes of addresses does not block the event loop", async () => {
  const { abi, log } = logOfAddresses(100_000);
  const { cpuMs } = await measureStandstill(async () => decodeLog(abi, log));
  expect(cpuMs).toBeLessThan(maxStandstillMs);
});

test("an array with as many addresses as a transaction can have is decoded", () => {
  const { abi, log } = logOfAddresses(4_000);
  expect(decodeLog(abi, log)?.args.list).toHaveLength(4_000);
});

const instructions = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `{"name":"i${n}","discriminator":[1,2,3,4,5,6,${n >> 8},${n & 255}],"accounts":[],"args":[]}`,
  );
const idl = (count: number) =>
  `{"address":"${tokenProgram}","metadata":{"name":"x","version":"0.1.0","spec":"0.1.0"},"instructions":[${instructions(count)}]}`;

test.each([
  ["the largest that is accepted", gzipSync(idl(2_000)), true],
  ["one with too many values", gzipSync(idl(12_000)), false],
  ["one with many keys", gzipSync(`{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`)}}`), false],
  ["a decompression bomb", gzipSync(Buffer.alloc(50_000_000)), false],
])("ingestion reads an IDL in a worker thread: %s", async (_, content, isAccepted) => {
  const { tasks, offload } = offloading();
  const account = (owner: string, data: Buffer, isExecutable: boolean) => ({
    ok: true as const,
    data: packAccount({ owner, isExecutable, lamports: 1n, data }),
  });
  const published = metadataAccount(tokenProgram, { content, compression: 1 });
  const results = [
    account("BPFLoaderUpgradeab1e11111111111111111111111", Buffer.alloc(0), true),
    account(metadataProgram, published, false),
    { ok: true as const, data: "0x" as Hex },
  ];
  const subject = { address: tokenProgram } as Subject;
  const { result, cpuMs } = await measureStandstill(() =>
    solanaDiscovery.discover([{ subject, tokens: [] }], async () => results, offload),
  );
  expect(tasks).toEqual(["findIdlOf"]);
  expect(result[0]?.program && result[0].program.idl !== undefined).toBe(isAccepted);
  expect(cpuMs).toBeLessThan(maxStandstillMs);
});

const list = <Item>(length: number, make: (n: number) => Item) => Array.from({ length }, (_, n) => make(n));
const dimensions = "[999999999]".repeat(8);
const nested = (depth: number): object =>
  depth === 0
    ? { name: "x", type: `uint256${dimensions}` }
    : { name: "t", type: `tuple${dimensions}`, components: [nested(depth - 1)] };

const tupleSignatures = (count: number) =>
  list(count, (n) => `error Bad${n}${"(".repeat(8)}uint256 a${") t".repeat(7)})`);
const variants = list(256, () => ({ name: "v", fields: ["u8", "u8", "u8"] }));
const fields = list(256, () => "u8");

/** The slowest interfaces of the size that is accepted, and how many of their entries are found. */
const storedInterfaces: Record<string, (offload: Offload) => Promise<{ size: number; count: number }>> = {
  "an ABI of deep tuples": async (offload) => {
    const abi = list(246, (n) => ({ type: "event", name: `Deep${n}`, inputs: [nested(8)] }));
    return { size: (await compileStoredAbi(givenInterface(abi), offload)).events.size, count: 246 };
  },
  "an ABI of signatures": async (offload) => {
    return {
      size: (await compileStoredAbi(givenInterface(tupleSignatures(2_000)), offload)).errors.size,
      count: 2_000,
    };
  },
  "an IDL of many variants": async (offload) => {
    const types = list(50, (n) => ({ name: `t${n}`, type: { kind: "enum", variants } }));
    return {
      size: (await compileStoredIdl(givenInterface({ instructions: [], types }), offload)).types.size,
      count: 50,
    };
  },
  "an IDL of many fields": async (offload) => {
    const types = list(200, (n) => ({ name: `t${n}`, type: { kind: "struct", fields } }));
    return {
      size: (await compileStoredIdl(givenInterface({ instructions: [], types }), offload)).types.size,
      count: 200,
    };
  },
};

test.each(Object.entries(storedInterfaces))(
  "a stored interface is compiled in a worker thread: %s",
  async (_, compile) => {
    const { tasks, offload } = offloading();
    const { result, cpuMs } = await measureStandstill(() => compile(offload));
    expect(tasks).toHaveLength(1);
    expect(result.size).toBe(result.count);
    expect(cpuMs).toBeLessThan(maxStandstillMs);
  },
);

test("a stored interface that no worker thread can compile is compiled in slices: a contract without it would lose alerts", async () => {
  const full: Offload = async () => Promise.reject(new Error("full"));
  const abi = tupleSignatures(1_999);
  const { result, cpuMs } = await measureStandstill(() => compileStoredAbi(givenInterface(abi), full));
  expect(result.errors.size).toBe(1_999);
  expect(cpuMs).toBeLessThan(maxStandstillMs);
});

test("an entry of a stored interface decodes as if the interface were compiled at once", async () => {
  const { offload } = offloading();
  const { abi, log } = logOfAddresses(3);
  const stored = [...list(1_000, (n) => `event Filler${n}(uint256 value)`), "event Spread(address[] list)"];
  const compiled = await compileStoredAbi(givenInterface(stored), offload);
  expect(decodeLog(compiled, log)).toEqual(decodeLog(abi, log));
});

test("a contract of an org that shares its ABI with others uses the one that is compiled", async () => {
  const compile = (abi: unknown) =>
    compileStoredAbi(givenInterface(abi), () => expect.fail("A short ABI needs no thread."));
  const abi = [{ type: "event", name: "Shared", inputs: [] }];
  const [first, second] = await Promise.all([compile(abi), compile(structuredClone(abi))]);
  expect(second).toBe(first);
  expect(await compile(structuredClone(abi))).toBe(first);
});

test("a Solana transaction with as many large instructions as it can have does not block the event loop", async () => {
  const wide = { kind: "struct", fields: list(256, () => ({ defined: "empty" })) };
  const types = [
    { name: "wide", type: wide },
    { name: "empty", type: { kind: "struct", fields: [] } },
  ];
  // The budget for values grows with the data, and these values need none of it.
  const args = [{ name: "x", type: { array: [{ defined: "wide" }, 1_000_000] } }];
  const stored = { instructions: [{ name: "big", discriminator: [1], accounts: [], args }], types };
  const idl = await compileStoredIdl(givenInterface(stored), () =>
    expect.fail("A short IDL needs no thread."),
  );
  const contract = { subject: { address: tokenProgram, idl } as Subject, code: undefined };
  const one = { program: tokenProgram, accounts: [], depth: 2, caller: null, position: 0 };
  const instructions = list(60, () => ({ ...one, data: Buffer.alloc(10_000, 1) }));
  const solana = { accounts: [tokenProgram], fee_payer: "payer", is_success: true, instructions, lines: [] };
  const block = {
    ...{ height: 1, time: 1, hash: "1", parent_hash: "0", logs: [] },
    transactions: [{ hash: "a", index: 0, from: "payer", solana }],
  } as unknown as Block;
  const monitored = { at: () => [contract], on: () => [], needsTraces: () => false };
  const { result, cpuMs } = await measureStandstill(async () => {
    const activity = (await decodeSolanaBlock(block, monitored, makePause())).get(contract);
    // Every target of the contract that counts this instruction reads what was decoded.
    const config = solanaInstruction.config.parse({ name: "big" });
    return list(
      50,
      () => activity && solanaInstruction.measure?.(config, activity, contract.subject, undefined),
    );
  });
  expect(result.map((readings) => readings?.length)).toEqual(list(50, () => 60));
  expect(cpuMs).toBeLessThan(maxStandstillMs);
});
