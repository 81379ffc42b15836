import { bytesOfAddress, toBase58 } from "../../../src/chains/solana/accounts/address.ts";
import { squadsV3 } from "../../../src/chains/solana/multisigs/squads-v3.ts";
import { squadsV4 } from "../../../src/chains/solana/multisigs/squads-v4.ts";
import type { ExecutedTransaction } from "./cluster.ts";

type Multisig = { threshold: number; members: string[] };

/** The data of a multisig account of Squads, whose program is not in the cluster. */
export const multisigAccount = {
  v4({ threshold, members }: Multisig): Buffer {
    const limits = Buffer.alloc(22);
    limits.writeUInt16LE(threshold);
    return Buffer.concat([
      ...[squadsV4.discriminator, Buffer.alloc(64), limits, Buffer.of(0, 255), countOf(members)],
      ...members.map((member) => Buffer.concat([bytesOfAddress(member), Buffer.of(7)])),
    ]);
  },
  v3({ threshold, members }: Multisig): Buffer {
    const head = Buffer.alloc(46);
    head.writeUInt16LE(threshold);
    return Buffer.concat([squadsV3.discriminator, head, countOf(members), ...members.map(bytesOfAddress)]);
  },
};

function countOf(members: string[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(members.length);
  return count;
}

/** A transaction as nodes return it if its only instruction was one of a program that is not in the cluster. */
export function withInstruction(
  ran: ExecutedTransaction,
  { program, accounts, data }: { program: string; accounts: string[]; data: Buffer },
): ExecutedTransaction {
  const [payer = ""] = ran.accounts;
  const accountKeys = [payer, ...accounts, program];
  const indexes = accounts.map((_, index) => index + 1);
  const instruction = { programIdIndex: accounts.length + 1, accounts: indexes, data: toBase58(data) };
  const balances = accountKeys.map(() => 1);
  return {
    ...ran,
    accounts: accountKeys,
    transaction: { signatures: [ran.signature], message: { accountKeys, instructions: [instruction] } },
    meta: { ...ran.meta, innerInstructions: [], preBalances: balances, postBalances: balances },
  };
}
