import type { Block } from "../../block.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "./block-verifier.ts";
import type { Header } from "./header.ts";

/** What fetching blocks from one endpoint goes by. */
export type FetchContext = {
  session: Session;
  verifier: BlockVerifier;
  receipts: boolean;
  /** Takes each block that was found whole. */
  onBlock(block: Block): void;
};

export function blockOf(header: Header, logs: Block["logs"], transactions = header.transactions): Block {
  const { height, hash, parent_hash, time } = header;
  return { height, hash, parent_hash, time, transactions, logs };
}

/** Collects what went wrong with single blocks while others go on. */
export class FetchFailures {
  private first: EndpointFailure | undefined;

  /** The value of the work, or undefined when it failed. */
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

/** Whoever cannot even give a block has failed, whatever is said of the request: there is nothing simpler to ask for. */
export function asEndpointFailure(error: unknown): EndpointFailure {
  if (error instanceof EndpointFailure) return error;
  if (error instanceof RpcError) return new EndpointFailure("down", `answered with error ${error.code}`);
  throw error;
}
