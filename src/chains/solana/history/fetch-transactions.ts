import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { RpcCall } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { resultOf, type Session } from "../../rpc/session.ts";
import { unsupportedVersionCode } from "../classify-error.ts";
import {
  type PlacedTransaction,
  readTransaction,
  undecodableTransaction,
} from "../transactions/transaction.ts";
import type { ListedSignature } from "./listed-signature.ts";

/** Versions up to this one are understood. */
const newestVersion = 1;
const atOnce = 50;

/** Fetches whole transactions and keeps them, since what is not final is looked at again. */
export class Transactions {
  private readonly rpc: Rpc;
  private readonly kept = new Map<string, PlacedTransaction>();

  constructor(rpc: Rpc) {
    this.rpc = rpc;
  }

  /** A node that lists a transaction and then has none, or another slot of it, lags. */
  async fetch(listed: readonly ListedSignature[], prefer: number | undefined): Promise<void> {
    const open = listed.filter((one) => !this.has(one));
    for (let at = 0; at < open.length; at += atOnce) {
      await this.rpc.use((session) => this.fetchSome(session, open.slice(at, at + atOnce)), {
        prefer,
        totalMs: 30_000,
      });
    }
  }

  /** What was fetched, in the order given. */
  take(listed: readonly ListedSignature[]): PlacedTransaction[] {
    return listed.map(({ signature }) => this.kept.get(signature) as PlacedTransaction);
  }

  has({ signature, slot }: ListedSignature): boolean {
    return this.kept.get(signature)?.slot === slot;
  }

  /** Lets go of what will not be asked for again. */
  forget(upTo: number): void {
    for (const [signature, { slot }] of this.kept) if (slot <= upTo) this.kept.delete(signature);
  }

  private async fetchSome(session: Session, listed: readonly ListedSignature[]): Promise<void> {
    const open = listed.filter((one) => !this.has(one));
    if (open.length === 0) return;
    const answers = await session.batch(open.map(toCall));
    for (const [at, one] of open.entries()) this.keep(one, readAnswer(one, answers[at]));
  }

  private keep({ signature, slot }: ListedSignature, found: PlacedTransaction): void {
    if (found.slot !== slot) throw new EndpointFailure("inconsistent", "shows a transaction in two slots");
    this.kept.set(signature, found);
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

function readAnswer(
  { signature, slot, address, hasFailed, index }: ListedSignature,
  answer: Parameters<typeof resultOf>[0],
): PlacedTransaction {
  const isUnknown = answer && "failure" in answer && answer.failure instanceof RpcError;
  if (isUnknown && (answer.failure as RpcError).code === unsupportedVersionCode) {
    return { slot, time: null, index, transaction: undecodableTransaction(signature, address, hasFailed) };
  }
  if (isUnknown) throw new EndpointFailure("error", "does not tell a transaction that it lists");
  return readTransaction(resultOf(answer, "getTransaction", { mustExist: true }), signature);
}
