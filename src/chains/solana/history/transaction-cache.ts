import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { RpcCall } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { resultOf, type Session } from "../../rpc/session.ts";
import { unsupportedVersionCode } from "../classify-error.ts";
import {
  type LocatedTransaction,
  readTransaction,
  undecodableTransaction,
} from "../transactions/transaction.ts";
import type { ListedSignature } from "./listed-signature.ts";

/** The newest supported transaction version. */
const newestVersion = 1;
const batchSize = 50;

/** Fetches transactions and caches them, because those that are not final are needed again. */
export class TransactionCache {
  private readonly rpc: Rpc;
  private readonly cache = new Map<string, LocatedTransaction>();

  constructor(rpc: Rpc) {
    this.rpc = rpc;
  }

  /** Fetches the listed transactions that are not cached. A node that lists one but does not return it lags. */
  async fetch(listed: readonly ListedSignature[], prefer: number | undefined): Promise<void> {
    const missing = listed.filter((one) => !this.has(one));
    for (let at = 0; at < missing.length; at += batchSize) {
      await this.rpc.use((session) => this.fetchSome(session, missing.slice(at, at + batchSize)), {
        prefer,
        totalMs: 30_000,
      });
    }
  }

  /** The cached transactions, in the given order. */
  get(listed: readonly ListedSignature[]): LocatedTransaction[] {
    return listed.map(({ signature }) => this.cache.get(signature) as LocatedTransaction);
  }

  has({ signature, slot }: ListedSignature): boolean {
    return this.cache.get(signature)?.slot === slot;
  }

  /** Evicts the transactions up to a slot. */
  forget(upTo: number): void {
    for (const [signature, { slot }] of this.cache) if (slot <= upTo) this.cache.delete(signature);
  }

  private async fetchSome(session: Session, listed: readonly ListedSignature[]): Promise<void> {
    const missing = listed.filter((one) => !this.has(one));
    if (missing.length === 0) return;
    const replies = await session.batch(missing.map(toCall));
    for (const [at, one] of missing.entries()) this.store(one, readReply(one, replies[at]));
  }

  private store({ signature, slot }: ListedSignature, found: LocatedTransaction): void {
    if (found.slot !== slot) throw new EndpointFailure("inconsistent", "reports a transaction in two slots");
    this.cache.set(signature, found);
  }
}

function toCall({ signature }: ListedSignature): RpcCall {
  const options = {
    encoding: "json",
    commitment: "confirmed",
    maxSupportedTransactionVersion: newestVersion,
  };
  return { method: "getTransaction", params: [signature, options] };
}

function readReply(
  { signature, slot, address, hasFailed, index }: ListedSignature,
  reply: Parameters<typeof resultOf>[0],
): LocatedTransaction {
  const isRejected = reply && "failure" in reply && reply.failure instanceof RpcError;
  if (isRejected && (reply.failure as RpcError).code === unsupportedVersionCode) {
    return { slot, time: null, index, transaction: undecodableTransaction(signature, address, hasFailed) };
  }
  if (isRejected) throw new EndpointFailure("error", "does not return a transaction that it lists");
  return readTransaction(resultOf(reply, "getTransaction", { mustExist: true }), signature);
}
