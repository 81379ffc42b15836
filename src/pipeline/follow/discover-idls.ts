import type { App } from "../../app.ts";
import { ChainError, type ChainReader } from "../../chains/reader.ts";
import { unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { findIdl, idlReads } from "../../chains/solana/idl/on-chain-idl.ts";
import { toPlain } from "../../lib/plain-json.ts";
import { markAsProgram, saveIdl } from "../../store/inspection/program-idls.ts";
import type { EngineState } from "../watch/engine-state.ts";

/** How many programs are looked at in one step: an IDL may be large. */
const atOnce = 10;
const retrySeconds = 60;

/**
 * Looks which of what is watched are programs, and for the IDLs that they have on chain where nobody uploaded one. What is
 * found is stored with the contract, which then counts as changed, so that the engine reads it like any other change.
 */
export async function discoverIdls(
  app: App,
  engine: EngineState,
  reader: ChainReader,
  at: { height: number; hash: string; time: number },
): Promise<void> {
  const due = engine.unread.take(at.time, atOnce).flatMap((id) => engine.watchList.contract(id) ?? []);
  const open = due.filter(({ subject }) => !subject.idl);
  const reads = open.flatMap(({ subject: { address } }) => [
    { kind: "account" as const, address, length: 0 },
    ...idlReads(address),
  ]);
  if (reads.length === 0) return;
  try {
    const results = await reader.read(reads, at);
    for (const [index, contract] of open.entries()) {
      const [account, ...places] = results.slice(3 * index, 3 * index + 3);
      if (!unpackAccount(account)?.isExecutable) continue;
      await markAsProgram(app.db, contract);
      const { idl } = findIdl(places, contract.subject.address);
      if (idl) await saveIdl(app.db, contract, toPlain(idl));
    }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    for (const { id } of open) engine.unread.set(id, at.time + retrySeconds);
  }
}
