import type { Subject } from "../activity.ts";
import type { StoredContract } from "../family.ts";
import { type Idl, parseIdl } from "./idl/idl.ts";
import type { SolanaTransaction } from "./transactions/transaction.ts";

declare module "../activity.ts" {
  interface Subject {
    /** On Solana: the program's IDL. */
    idl?: Idl;
  }
  interface Call {
    /** On Solana: the whole transaction. */
    solana?: SolanaTransaction;
  }
}

declare module "../block.ts" {
  interface Transaction {
    /** On Solana: the whole transaction. */
    solana?: SolanaTransaction;
  }
}

export function compileSolanaSubject({ chain, address, abi }: StoredContract): Subject {
  const read = abi ? parseIdl(abi) : undefined;
  return { chain, address, ...(read?.ok && { idl: read.idl }) };
}
