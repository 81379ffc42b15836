import { familyOf } from "../../chains/families.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { Patience } from "../../lib/concurrency/patience.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { lacksImplementation, type WatchedContract } from "../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "./read-or-nothing.ts";

/** Adds the implementations that beacons name. A beacon that could not be read in time is looked up again at the next block. */
export async function resolveBeacons(
  engine: EngineState,
  { reader, patience }: { reader: ChainReader; patience: Patience },
  codes: ReadonlyMap<WatchedContract, Code>,
  position: BlockPosition,
): Promise<Map<WatchedContract, Code>> {
  const family = familyOf(engine.watchList.chain);
  const known = [...codes.values()];
  const resolving = family.code.resolveBeacons(known, readOrNothing(reader, position));
  const resolved = (await patience.resultOf(resolving)) ?? known;
  const complete = new Map([...codes.keys()].map((contract, index) => [contract, resolved[index] as Code]));
  for (const [contract, code] of complete) {
    if (lacksImplementation(code)) engine.unread.set(contract.id, position.time);
  }
  return complete;
}
