import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Hex, parseAbiItem } from "viem";
import type { Activity, Call, Emitted, Subject } from "../../src/chains/activity.ts";
import type { ReadResult } from "../../src/chains/block.ts";
import { emptyAbi } from "../../src/chains/evm/abi/abi.ts";
import { chainOf } from "../../src/chains/index.ts";
import type { Reading, TimedReading } from "../../src/meters/meter.ts";

/** Hand-written activity, state and readings for tests of meters. */
export const contract = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
export const token = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
export const start = 1_700_000_000;

export const subject: Subject = { chain: chainNamed("ethereum"), address: contract, abi: emptyAbi };

/** The token program as a monitored program. */
export const solanaSubject: Subject = {
  chain: chainNamed("solana"),
  address: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  abi: emptyAbi,
};

function chainNamed(name: string) {
  const chain = chainOf(name);
  if (!chain) throw new Error("Unknown chain.");
  return chain;
}

export function activity(parts: Partial<Activity> = {}): Activity {
  return { height: 100, time: start, calls: [], events: [], ...parts };
}

export function call(parts: Partial<Call> = {}): Call {
  return {
    tx_hash: hash(1),
    tx_index: 0,
    direction: "to",
    from: alice,
    to: contract,
    value: 0n,
    input: "0x",
    nonce: 0,
    gas_limit: 100_000n,
    gas_price: 1n,
    receipt: { is_success: true, gas_used: 21_000n },
    decoded: undefined,
    ...parts,
  };
}

/** A log of an event with a Solidity declaration. */
export function emit(declaration: string, args: readonly unknown[], parts: Partial<Emitted> = {}): Emitted {
  const item = parseAbiItem(`event ${declaration}`) as AbiEvent;
  const { inputs } = item;
  const inTopics = Object.fromEntries(inputs.map((input, index) => [input.name, args[index]]));
  const inData = inputs.flatMap((input, index) => (input.indexed ? [] : [{ input, value: args[index] }]));
  return {
    address: contract,
    tx_hash: hash(1),
    tx_index: 0,
    log_index: 0,
    position: 0,
    topics: encodeEventTopics({ abi: [item], args: inTopics }) as Hex[],
    data: encodeAbiParameters(
      inData.map(({ input }) => input),
      inData.map(({ value }) => value),
    ),
    decoded: undefined,
    ...parts,
  };
}

export function hash(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

/** The result of a call with return values of these types. */
export function returned(types: string, ...values: unknown[]): ReadResult {
  const item = parseAbiItem(`function f() returns (${types})`);
  if (item.type !== "function") throw new Error("types must be a list of types.");
  return { ok: true, data: encodeAbiParameters(item.outputs, values) };
}

export const failed: ReadResult = { ok: false, code: "reverted", problem: "execution reverted" };
export const nothing: ReadResult = { ok: true, data: "0x" };

export function word(value: bigint | string): ReadResult {
  return { ok: true, data: `0x${BigInt(value).toString(16).padStart(64, "0")}` };
}

/** A reading with its time, as the previous reading of another. */
export function timed(
  reading: Reading | { problem: string } | undefined,
  time = start,
  height = 100,
): TimedReading {
  if (!reading || "problem" in reading) throw new Error(reading?.problem ?? "No reading.");
  return { ...reading, time, height };
}

/** The context of a state read. */
export function at(time: number, previous?: TimedReading) {
  return { time, previous };
}

/** The results of the two reads of a price feed. */
export function feedAnswers(answer: bigint, decimals: number, updatedAt: number = start): ReadResult[] {
  const round = returned("uint80, int256, uint256, uint256, uint80", 7n, answer, 1n, BigInt(updatedAt), 7n);
  return [round, returned("uint8", decimals)];
}
