import type { Block } from "../../block.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "./block-verifier.ts";
import type { Header, Tolerates } from "./header.ts";

/** The endpoint to fetch blocks from, the checks to apply and the receiver of complete blocks. */
export type FetchContext = {
  session: Session;
  verifier: BlockVerifier;
  receipts: boolean;
  /** The addresses whose transactions need receipts; those of all transactions by default. */
  watched?: ReadonlySet<string> | undefined;
  /** Blocks by height that a node returned already, with their transactions. */
  known?: ReadonlyMap<number, unknown> | undefined;
  /** Receives each complete block. */
  onBlock(block: Block): void;
};

/** Returns the tolerance of data from the endpoint of a session. */
export function toleranceOf({ session, verifier }: Pick<FetchContext, "session" | "verifier">): Tolerates {
  return (check, block, claim) => verifier.tolerance.allows(check, block, claim, session.endpoint);
}

export function blockOf(header: Header, logs: Block["logs"], transactions = header.transactions): Block {
  const { height, hash, parent_hash, time } = header;
  return { height, hash, parent_hash, time, transactions, logs };
}

/** Collects the failures of single blocks while the others continue. */
export class FetchFailures {
  private first: EndpointFailure | undefined;

  /** Runs work; returns undefined when it failed. */
  capture<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      this.first ??= asEndpointFailure(error);
      return undefined;
    }
  }

  throwFirst(): void {
    if (this.first) throw this.first;
  }
}

/** Converts an RpcError: a request for a block is always valid, so the endpoint is at fault. */
export function asEndpointFailure(error: unknown): EndpointFailure {
  if (error instanceof EndpointFailure) return error;
  if (error instanceof RpcError) return new EndpointFailure("down", `returned error ${error.code}`);
  throw error;
}
