import type { Offload } from "../../lib/concurrency/worker-pool.ts";
import type { Subject } from "../activity.ts";
import type { StoredContract, TokenAccount } from "../family.ts";
import { type Idl, noIdl } from "./idl/idl.ts";
import type { ProgramFailure } from "./idl/program-failure.ts";
import { compileStoredIdl } from "./idl/stored-idl.ts";
import type { SolanaTransaction } from "./transactions/transaction.ts";

declare module "../activity.ts" {
  interface Subject {
    /** On Solana: the program's IDL. */
    idl?: Idl;
    /** On Solana: the token accounts of the address that are followed, beside the associated ones; of a program, its vaults. */
    tokenAccounts?: readonly TokenAccount[];
  }
  interface Call {
    /** On Solana: the whole transaction. */
    solana?: SolanaTransaction;
    /** On Solana: why the transaction failed. */
    failure?: ProgramFailure | undefined;
  }
}

declare module "../block.ts" {
  interface Transaction {
    /** On Solana: the whole transaction. */
    solana?: SolanaTransaction;
  }
}

export async function compileSolanaSubject(contract: StoredContract, offload: Offload): Promise<Subject> {
  const { chain, address, token_accounts: tokenAccounts } = contract;
  const idl = await compileStoredIdl(contract.abi, offload);
  return { chain, address, ...(idl !== noIdl && { idl }), ...(tokenAccounts && { tokenAccounts }) };
}
