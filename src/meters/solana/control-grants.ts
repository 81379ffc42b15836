import type { Activity, Call } from "../../chains/activity.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "../../chains/solana/accounts/address.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";

/** Control of funds that a successful instruction gave to someone else. */
export type ControlGrant = {
  call: Call;
  position: number;
  granted: "delegate" | "owner" | "close" | "wallet";
  /** The token account, or the wallet itself. */
  account: string;
  to: string;
  /** Who had the control and signed; the fee may be paid by someone else. */
  authority: string | undefined;
  /** What a delegate may move, in the smallest unit. */
  amount?: bigint;
  /** The decimals of the token, where the instruction names them. */
  decimals?: number;
};

type Grant = Omit<ControlGrant, "call" | "position">;

const systemProgram = "11111111111111111111111111111111";

/** Returns what a block gave away of an address: a wallet with its token accounts, or a token account. */
export function grantsOf({ calls, nearby = [] }: Activity, address: string): ControlGrant[] {
  return [...calls, ...nearby]
    .sort((a, b) => a.tx_index - b.tx_index)
    .flatMap((call) => {
      if (!call.solana?.is_success) return [];
      return call.solana.instructions.flatMap((instruction) => {
        const grant = grantIn(instruction) ?? creationOver(instruction, call.solana?.balances ?? []);
        if (!grant || (grant.account !== address && grant.authority !== address)) return [];
        return [{ call, position: instruction.position, ...grant }];
      });
    });
}

function grantIn({ program, accounts, data }: SolanaInstruction): Grant | undefined {
  const [account, second, third, fourth] = accounts;
  if (account === undefined) return undefined;
  if (program === systemProgram) return assignment(account, second, data);
  if (program !== tokenProgram && program !== token2022Program) return undefined;
  if (data[0] === 4 && data.length >= 9 && second)
    return { granted: "delegate", account, to: second, amount: data.readBigUInt64LE(1), authority: third };
  // The checked form names the mint, and its decimals.
  if (data[0] === 13 && data.length >= 10 && third) {
    const amount = data.readBigUInt64LE(1);
    return {
      granted: "delegate",
      account,
      to: third,
      amount,
      decimals: data[9] as number,
      authority: fourth,
    };
  }
  // SetAuthority of a token account, with a new one. Who closes an account of wrapped SOL gets all of it.
  const granted = authorities[data[1] ?? 0];
  if (data[0] !== 6 || !granted || data[2] !== 1 || data.length < 35) return undefined;
  return { granted, account, to: addressOfBytes(data.subarray(3, 35)), authority: second };
}

/** The authorities of a token account by their number. */
const authorities: Record<number, "owner" | "close"> = { 2: "owner", 3: "close" };

/** The instructions of the system program that give an account to another program: Assign, and those with a seed. */
const [assign, allocateWithSeed, assignWithSeed] = [1, 9, 10];
const addressBytes = 32;
const lengthBytes = 8;

/**
 * The system program can give a wallet to another program, which then controls all of it. The key of a base signs for an account
 * with a seed. Programs also allocate such accounts to be used by them, which only concerns an account that is monitored itself.
 */
function assignment(account: string, base: string | undefined, data: Buffer): Grant | undefined {
  if (data.length < 4) return undefined;
  const kind = data.readUInt32LE();
  if (kind === assign) return assignedTo(data.subarray(4), account, account);
  if (kind !== assignWithSeed && kind !== allocateWithSeed) return undefined;
  const seedAt = 4 + addressBytes;
  if (data.length < seedAt + lengthBytes) return undefined;
  const seedEnd = seedAt + lengthBytes + Number(data.readBigUInt64LE(seedAt));
  // AllocateWithSeed has the new size before the program.
  const ownerAt = seedEnd + (kind === allocateWithSeed ? lengthBytes : 0);
  return assignedTo(
    data.subarray(Math.min(ownerAt, data.length)),
    account,
    kind === assignWithSeed ? base : account,
  );
}

const createAllowingFunds = 13;
const tokenPrograms: readonly string[] = [tokenProgram, token2022Program];

/**
 * CreateAccountAllowPrefund gives an account that holds SOL already, such as a wallet, to a program. One that held nothing is
 * created, and so is a token account, to whose future address anyone may have sent SOL.
 */
function creationOver(
  { program, accounts: [account], data }: SolanaInstruction,
  balances: readonly { address: string; before: bigint }[],
): Grant | undefined {
  if (program !== systemProgram || account === undefined || data.length < 4) return undefined;
  if (data.readUInt32LE() !== createAllowingFunds) return undefined;
  const isNew = balances.some(({ address, before }) => address === account && before === 0n);
  const grant = assignedTo(data.subarray(4 + 2 * lengthBytes), account, account);
  return isNew || !grant || tokenPrograms.includes(grant.to) ? undefined : grant;
}

function assignedTo(owner: Buffer, account: string, authority: string | undefined): Grant | undefined {
  if (owner.length < addressBytes) return undefined;
  return { granted: "wallet", account, to: addressOfBytes(owner.subarray(0, addressBytes)), authority };
}
