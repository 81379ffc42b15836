import type { Subject } from "../activity.ts";
import type { StoredContract } from "../family.ts";
import { type Idl, noIdl } from "./idl/idl.ts";
import { compileStoredIdl } from "./idl/stored-idl.ts";
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

export async function compileSolanaSubject({ chain, address, abi }: StoredContract): Promise<Subject> {
  const idl = await compileStoredIdl(abi);
  return { chain, address, ...(idl !== noIdl && { idl }) };
}
