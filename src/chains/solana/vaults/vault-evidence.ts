import type { Clock } from "../../../lib/clock.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { fetchListed, listRecentTransactions } from "../history/recent-transactions.ts";
import type { SolanaTransaction } from "../transactions/transaction.ts";
import { type DerivedSignature, derivedSignaturesIn } from "./possible-derivers.ts";
import { type VaultCandidate, vaultCandidatesIn } from "./vault-candidates.ts";

/** What one transaction shows about the vaults of a program. */
export type TransactionEvidence = {
  candidates: readonly VaultCandidate[];
  signatures: readonly DerivedSignature[];
};

type Program = { bySignature: Map<string, TransactionEvidence>; searchedMs: number; calls: number };

/** The transactions that are searched: the newest, of which each takes a call once. */
const searched = 25;
const maxPrograms = 500;
/** A program that is followed is searched every hour. */
const staleMs = 2 * 3_600_000;
const searchesPerDay = 24;

/** Remembers what the newest transactions of programs show, so that a search fetches only those since the last one. */
export class VaultEvidence {
  private readonly clock: Clock;
  private readonly programs = new Map<string, Program>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Undefined if a node returns an invalid list. Rejects with a ChainError or an RpcError. */
  async collect(
    { rpc, prefer }: { rpc: Rpc; prefer: number | undefined },
    program: string,
  ): Promise<TransactionEvidence[] | undefined> {
    const listed = await listRecentTransactions(rpc, program, { limit: searched, prefer });
    if (!listed) return undefined;
    const cached = this.programs.get(program)?.bySignature;
    const missing = listed.filter(({ signature }) => !cached?.has(signature));
    const fetched = await fetchListed(rpc, missing, prefer);
    const fresh = new Map(
      fetched.map((solanaTransaction) => [
        solanaTransaction.signature,
        evidenceIn(solanaTransaction, program),
      ]),
    );
    const all = listed.flatMap(({ signature }) => {
      const evidence = cached?.get(signature) ?? fresh.get(signature);
      return evidence ? [[signature, evidence] as const] : [];
    });
    // Another node may be able to return the contents of the others.
    const opaque = new Set(
      fetched.flatMap((solanaTransaction) =>
        solanaTransaction.is_opaque ? [solanaTransaction.signature] : [],
      ),
    );
    this.remember(program, new Map(all.filter(([signature]) => !opaque.has(signature))), 1 + missing.length);
    return all.map(([, evidence]) => evidence);
  }

  /** Adds calls to what the last search of a program has cost. */
  addCalls(program: string, calls: number): void {
    const cached = this.programs.get(program);
    if (cached) cached.calls += calls;
  }

  /** The calls a day of all programs that are searched, if each search costs what the last one did. */
  callsPerDay(): number {
    this.forgetStale();
    return [...this.programs.values()].reduce((sum, { calls }) => sum + searchesPerDay * calls, 0);
  }

  private remember(program: string, bySignature: Map<string, TransactionEvidence>, calls: number): void {
    this.forgetStale();
    this.programs.delete(program);
    this.programs.set(program, { bySignature, searchedMs: this.clock.now().getTime(), calls });
    const [oldest] = this.programs.keys();
    if (oldest !== undefined && this.programs.size > maxPrograms) this.programs.delete(oldest);
  }

  private forgetStale(): void {
    const now = this.clock.now().getTime();
    for (const [program, { searchedMs }] of this.programs)
      if (now - searchedMs > staleMs) this.programs.delete(program);
  }
}

function evidenceIn(transaction: SolanaTransaction, program: string): TransactionEvidence {
  return {
    candidates: vaultCandidatesIn(transaction, program),
    signatures: derivedSignaturesIn(transaction),
  };
}
