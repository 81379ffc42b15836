import type { ReadResult } from "../../chains/block.ts";
import { ChainError, type ChainReader } from "../../chains/reader.ts";
import {
  type CodeSeen,
  codeInSlots,
  codeReads,
  namedByBeacon,
  readBeacon,
} from "../../meters/control/proxy-code.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { lacksImplementation, type WatchedContract } from "../watch/watch-list.ts";

type Moment = { height: number; hash: string; time: number };

/** How many contracts are looked at in one step, so that the first one after a start is not a long one. */
const atOnce = 50;
const retrySeconds = 60;

/** Looks what stands behind contracts of which nobody knows it yet. What could not be read is tried again later. */
export async function discoverCode(
  engine: EngineState,
  reader: ChainReader,
  at: Moment,
): Promise<Map<WatchedContract, Code>> {
  const due = engine.unread.take(at.time, atOnce).flatMap((id) => engine.watchList.contract(id) ?? []);
  const reads = due.map(({ subject }) => codeReads(subject.address));
  const results = await readOrNothing(reader, reads.flat(), at);
  const seen = new Map<WatchedContract, CodeSeen>();
  for (const [index, contract] of due.entries()) {
    const width = reads[index]?.length ?? 0;
    const code = codeInSlots(results.slice(index * width, (index + 1) * width));
    if (code) seen.set(contract, code);
    else engine.unread.set(contract.id, at.time + retrySeconds);
  }
  return resolveBeacons(engine, reader, seen, at);
}

/** Completes what is known with what beacons name. A beacon that does not answer is asked again later. */
export async function resolveBeacons(
  engine: EngineState,
  reader: ChainReader,
  codes: ReadonlyMap<WatchedContract, Code>,
  at: Moment,
): Promise<Map<WatchedContract, Code>> {
  const open = [...codes].filter(([, code]) => lacksImplementation(code));
  const reads = open.map(([, { beacon }]) => readBeacon(beacon ?? ""));
  const results = await readOrNothing(reader, reads, at);
  const complete = new Map(codes);
  for (const [index, [contract, code]] of open.entries()) {
    const implementation = namedByBeacon(results[index]) ?? null;
    complete.set(contract, { ...code, implementation });
    if (!implementation) engine.unread.set(contract.id, at.time + retrySeconds);
  }
  return complete;
}

/** Decoding can wait; the block cannot. */
async function readOrNothing(
  reader: ChainReader,
  reads: Parameters<ChainReader["read"]>[0],
  at: Moment,
): Promise<ReadResult[]> {
  if (reads.length === 0) return [];
  return reader.read(reads, at).catch((error: unknown) => {
    if (error instanceof ChainError) return [];
    throw error;
  });
}
