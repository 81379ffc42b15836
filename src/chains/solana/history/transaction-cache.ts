import { LRUCache } from "lru-cache";
import type { Clock } from "../../../lib/clock.ts";
import { ChainError } from "../../reader.ts";
import { inParallel } from "../../rpc/in-parallel.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { LocatedTransaction } from "../transactions/transaction.ts";
import { fetchTransactions } from "./fetch-transactions.ts";
import type { ListedSignature } from "./listed-signature.ts";

const batchSize = 50;
/** The waits before transactions that the nodes list but do not return are requested again: an index may be ahead. */
const patienceMs = [250, 500, 1_000];
/** The waits between further requests; the last one repeats. */
const retryMs = [2_000, 4_000, 8_000, 15_000];
/** A step waits this long for transactions that are requested again; what comes later counts in a later step. */
const maxRetryMs = 1_000;
/** Transactions that were not answered are requested again by themselves, because one of them may have delayed the others. */
const maxAlone = 4;
/** Fewer transactions than this tell nothing about the speed of the nodes. */
const measuredTransactions = 20;

/** Transactions that were streamed and are not listed yet. */
const maxStreamed = 10_000;

/** A listed transaction that no node returns. The chain goes on without it, and it counts as late when it is returned. */
export type WithheldTransaction = {
  listed: ListedSignature;
  sinceMs: number;
  attempts: number;
  nextMs: number;
};

/** Fetches transactions and caches them, because those that are not final are needed again. */
export class TransactionCache {
  private readonly rpc: Rpc;
  private readonly clock: Clock;
  private readonly cache = new Map<string, LocatedTransaction>();
  private readonly streamed = new LRUCache<string, LocatedTransaction>({ max: maxStreamed });
  private readonly withheld = new Map<string, WithheldTransaction>();
  /** Transactions of which the last request got no answer in time. */
  private readonly unanswered = new Set<string>();
  private isRetrying = false;
  /** The speed of the nodes, in transactions a second; undefined before it was measured. */
  perSecond: number | undefined;

  constructor(rpc: Rpc, clock: Clock) {
    this.rpc = rpc;
    this.clock = clock;
  }

  /** Adds streamed transactions. They are used if a node lists them in the same slot. */
  add(transactions: readonly LocatedTransaction[]): void {
    for (const transaction of transactions) this.streamed.set(transaction.transaction.signature, transaction);
  }

  /** Fetches the listed transactions that are not cached. Those that the nodes do not return are withheld for now. */
  async fetch(listed: readonly ListedSignature[], prefer: number | undefined): Promise<void> {
    const startedMs = this.nowMs();
    let missing = listed.filter(
      (listedSignature) =>
        !this.has(listedSignature) &&
        !this.isWithheld(listedSignature) &&
        !this.cacheStreamed(listedSignature),
    );
    const count = missing.length;
    missing = await this.fetchSome(missing, prefer);
    this.measure(count - missing.length, this.nowMs() - startedMs);
    for (const waitMs of patienceMs) {
      const answered = missing.filter(({ signature }) => !this.unanswered.has(signature));
      if (answered.length === 0) break;
      await this.clock.sleep(waitMs);
      const stillMissing = new Set(await this.fetchSome(answered, prefer));
      missing = missing.filter(
        (listedSignature) => stillMissing.has(listedSignature) || !answered.includes(listedSignature),
      );
    }
    for (const listedSignature of missing) this.withhold(listedSignature);
  }

  /** Requests withheld transactions again whose time has come, beside the chain: one that hangs delays nothing. */
  async retryWithheld(prefer: number | undefined): Promise<void> {
    const due = [...this.withheld.values()].filter(({ nextMs }) => nextMs <= this.nowMs());
    if (due.length === 0 || this.isRetrying) return;
    this.isRetrying = true;
    const ended = new AbortController();
    const retry = this.retry(due, prefer)
      .catch((error: unknown) => {
        // Whether the nodes answer anything else is found out by what the chain waits for.
        if (!(error instanceof ChainError)) throw error;
      })
      .finally(() => {
        this.isRetrying = false;
        ended.abort();
      });
    retry.catch(() => undefined);
    await Promise.race([retry, this.clock.sleep(maxRetryMs, ended.signal)]);
  }

  private async retry(due: readonly WithheldTransaction[], prefer: number | undefined): Promise<void> {
    const isAlone = ({ listed }: WithheldTransaction) => this.unanswered.has(listed.signature);
    const together = due.filter((withheldTransaction) => !isAlone(withheldTransaction));
    const parts = [
      together,
      ...due.filter(isAlone).map((withheldTransaction) => [withheldTransaction]),
    ].filter(({ length }) => length > 0);
    await inParallel(maxAlone, parts, async (part) => {
      const missing = await this.fetchSome(
        part.map(({ listed }) => listed),
        prefer,
      );
      this.releaseFetched(part, new Set(missing));
    });
  }

  /** What was released in the meantime stays released. */
  private releaseFetched(part: readonly WithheldTransaction[], missing: ReadonlySet<ListedSignature>): void {
    for (const { listed } of part) {
      if (!this.withheld.has(listed.signature)) continue;
      if (missing.has(listed)) this.withhold(listed);
      else this.withheld.delete(listed.signature);
    }
  }

  /** The cached transactions, in the given order. */
  get(listed: readonly ListedSignature[]): LocatedTransaction[] {
    return listed.map(({ signature }) => this.cache.get(signature) as LocatedTransaction);
  }

  has({ signature, slot }: ListedSignature): boolean {
    return this.cache.get(signature)?.slot === slot;
  }

  /** True if the chain goes on without the transaction. */
  isWithheld({ signature, slot }: ListedSignature): boolean {
    return this.withheld.get(signature)?.listed.slot === slot;
  }

  get allWithheld(): readonly WithheldTransaction[] {
    return [...this.withheld.values()];
  }

  /** Evicts the transactions up to a slot. */
  forget(upTo: number): void {
    for (const [signature, { slot }] of this.cache) if (slot <= upTo) this.cache.delete(signature);
  }

  /** Forgets a withheld transaction, because its addresses are not watched any more or list it elsewhere. */
  release(signature: string): void {
    this.withheld.delete(signature);
    this.unanswered.delete(signature);
  }

  private cacheStreamed({ signature, slot }: ListedSignature): boolean {
    const streamed = this.streamed.get(signature);
    if (streamed?.slot !== slot) return false;
    this.streamed.delete(signature);
    this.cache.set(signature, streamed);
    return true;
  }

  /** Returns those that are still missing. */
  private async fetchSome(
    listed: readonly ListedSignature[],
    prefer: number | undefined,
  ): Promise<ListedSignature[]> {
    const missing: ListedSignature[] = [];
    for (let index = 0; index < listed.length; index += batchSize) {
      const part = listed.slice(index, index + batchSize);
      const { found, unanswered } = await fetchTransactions(this.rpc, part, prefer);
      // Others that hang would take as long again.
      const rest = unanswered.size > 0 ? listed.slice(index + batchSize) : [];
      for (const { signature } of rest) unanswered.add(signature);
      for (const listedSignature of [...part, ...rest]) {
        if (unanswered.has(listedSignature.signature)) this.unanswered.add(listedSignature.signature);
        else this.unanswered.delete(listedSignature.signature);
        const transaction = found.get(listedSignature.signature);
        if (transaction) this.cache.set(listedSignature.signature, transaction);
        else missing.push(listedSignature);
      }
      if (rest.length > 0) return missing;
    }
    return missing;
  }

  private withhold(listed: ListedSignature): void {
    const nowMs = this.nowMs();
    const withheld = this.withheld.get(listed.signature);
    const attempts = (withheld?.attempts ?? 0) + 1;
    const nextMs = nowMs + (retryMs[Math.min(attempts, retryMs.length) - 1] as number);
    this.withheld.set(listed.signature, {
      listed,
      sinceMs: withheld?.sinceMs ?? nowMs,
      attempts,
      nextMs,
    });
  }

  /** An average over several fetches, of which one may have been delayed. */
  private measure(count: number, elapsedMs: number): void {
    if (count < measuredTransactions || elapsedMs <= 0) return;
    const measured = (count * 1000) / elapsedMs;
    this.perSecond = this.perSecond === undefined ? measured : 0.7 * this.perSecond + 0.3 * measured;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}
