import type { Activity, Call } from "../../chains/activity.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "../../chains/solana/accounts/address.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";

/** Control of funds that a successful instruction gave to someone else. */
export type ControlGrant = {
  call: Call;
  position: number;
  granted: "delegate" | "owner" | "wallet";
  /** The token account, or the wallet itself. */
  account: string;
  to: string;
  /** What a delegate may move, in the smallest unit. */
  amount?: bigint;
  /** The decimals of the token, where the instruction names them. */
  decimals?: number;
};

type Grant = Omit<ControlGrant, "call" | "position"> & { by: string | undefined };

const systemProgram = "11111111111111111111111111111111";

/** Returns what a block gave away of an address: a wallet with its token accounts, or a token account. */
export function grantsOf({ calls, nearby = [] }: Activity, address: string): ControlGrant[] {
  return [...calls, ...nearby]
    .sort((a, b) => a.tx_index - b.tx_index)
    .flatMap((call) => {
      if (!call.solana?.is_success) return [];
      return call.solana.instructions.flatMap((instruction) => {
        const found = grantIn(instruction);
        if (!found || (found.account !== address && found.by !== address)) return [];
        const { by: _, ...grant } = found;
        return [{ call, position: instruction.position, ...grant }];
      });
    });
}

function grantIn({ program, accounts, data }: SolanaInstruction): Grant | undefined {
  const [account, second, third, fourth] = accounts;
  if (account === undefined) return undefined;
  if (program === systemProgram) return assignment(account, data);
  if (program !== tokenProgram && program !== token2022Program) return undefined;
  if (data[0] === 4 && data.length >= 9 && second)
    return { granted: "delegate", account, to: second, amount: data.readBigUInt64LE(1), by: third };
  // The checked form names the mint, and its decimals.
  if (data[0] === 13 && data.length >= 10 && third) {
    const amount = data.readBigUInt64LE(1);
    return { granted: "delegate", account, to: third, amount, decimals: data[9] as number, by: fourth };
  }
  // SetAuthority of the owner of a token account, with a new one.
  if (data[0] === 6 && data[1] === 2 && data[2] === 1 && data.length >= 35)
    return { granted: "owner", account, to: addressOfBytes(data.subarray(3, 35)), by: second };
  return undefined;
}

/** The system program can give a wallet to another program, which then controls all of it. */
function assignment(account: string, data: Buffer): Grant | undefined {
  if (data.length < 36 || data.readUInt32LE() !== 1) return undefined;
  return { granted: "wallet", account, to: addressOfBytes(data.subarray(4, 36)), by: account };
}
