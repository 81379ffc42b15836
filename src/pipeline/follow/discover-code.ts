import type { App } from "../../app.ts";
import { familyOf } from "../../chains/families.ts";
import type { ReadState } from "../../chains/family.ts";
import { ChainError, type ChainReader } from "../../chains/reader.ts";
import { toPlain } from "../../lib/plain-json.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { markAsProgram, saveIdl } from "../../store/inspection/program-idls.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { lacksImplementation, type WatchedContract } from "../watch/watch-list.ts";

type BlockPosition = { height: number; hash: string; time: number };

const retrySeconds = 60;

/**
 * Finds the code or the interface of contracts that were not examined yet. A published IDL is stored with its contract, which
 * the engine then reloads like any other change. A contract that could not be read is tried again later.
 */
export async function discoverCode(
  app: App,
  engine: EngineState,
  reader: ChainReader,
  at: BlockPosition,
): Promise<Map<WatchedContract, Code>> {
  const { batchSize, discover } = familyOf(engine.watchList.chain).code;
  const due = engine.unread.take(at.time, batchSize).flatMap((id) => engine.watchList.contract(id) ?? []);
  const found = await discover(
    due.map(({ subject }) => subject),
    readOrNothing(reader, at),
  );
  const codes = new Map<WatchedContract, Code>();
  for (const [index, contract] of due.entries()) {
    const discovery = found[index];
    if (discovery?.code) codes.set(contract, discovery.code);
    if (discovery?.program) await saveProgram(app, contract, discovery.program.idl);
    if (!discovery || (discovery.code && lacksImplementation(discovery.code)))
      engine.unread.set(contract.id, at.time + retrySeconds);
  }
  return codes;
}

/** Adds the implementations that beacons name. A beacon that cannot be read is tried again later. */
export async function resolveBeacons(
  engine: EngineState,
  reader: ChainReader,
  codes: ReadonlyMap<WatchedContract, Code>,
  at: BlockPosition,
): Promise<Map<WatchedContract, Code>> {
  const family = familyOf(engine.watchList.chain);
  const resolved = await family.code.resolveBeacons([...codes.values()], readOrNothing(reader, at));
  const complete = new Map([...codes.keys()].map((contract, index) => [contract, resolved[index] as Code]));
  for (const [contract, code] of complete) {
    if (lacksImplementation(code)) engine.unread.set(contract.id, at.time + retrySeconds);
  }
  return complete;
}

async function saveProgram(
  app: App,
  contract: WatchedContract,
  idl: Record<string, unknown> | undefined,
): Promise<void> {
  await markAsProgram(app.db, contract);
  if (idl) await saveIdl(app.db, contract, toPlain(idl));
}

/** Decoding can wait for a chain that cannot be read now; the block cannot. */
function readOrNothing(reader: ChainReader, at: BlockPosition): ReadState {
  return (reads) =>
    reader.read(reads, at).catch((error: unknown) => {
      if (error instanceof ChainError) return [];
      throw error;
    });
}
