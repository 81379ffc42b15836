import type { Activity, Call } from "../../chains/activity.ts";
import { addressOfBytes } from "../../chains/solana/accounts/address.ts";
import { systemProgram } from "../../chains/solana/accounts/nonce-account.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";

/** A successful instruction that sets the authority of a durable nonce, with the state that the next poll reads. */
type NonceAction = { call: Call; position: number; state: string; before: undefined };

/** InitializeNonceAccount and AuthorizeNonceAccount, whose data end with the new authority. */
const authorizing: ReadonlySet<number> = new Set([6, 7]);

export function nonceActions({ calls, nearby = [] }: Activity, account: string): NonceAction[] {
  return [...calls, ...nearby]
    .sort((a, b) => a.tx_index - b.tx_index)
    .flatMap((call) => {
      if (!call.solana?.is_success) return [];
      return call.solana.instructions.flatMap((instruction) => {
        const authority = instruction.accounts[0] === account ? authorityIn(instruction) : undefined;
        if (!authority) return [];
        return [{ call, position: instruction.position, state: `nonce ${authority}`, before: undefined }];
      });
    });
}

function authorityIn({ program, data }: SolanaInstruction): string | undefined {
  if (program !== systemProgram || data.length < 36 || !authorizing.has(data.readUInt32LE()))
    return undefined;
  return addressOfBytes(data.subarray(4, 36));
}
