import { type Address, getBase58Decoder, type Instruction, type KeyPairSigner } from "@solana/kit";
import { token2022Program } from "../../../src/chains/solana/accounts/address.ts";
import { type Cluster, type ExecutedTransaction, readonly, signing, writable } from "./cluster.ts";

const base58 = getBase58Decoder();
const confidentialAccount = 5;
const state = { bytes: 295, pendingLo: 33, pendingHi: 97, available: 161, end: 225 };

/**
 * Lets a token account transfer confidentially. Its state is written, because the proof of its key takes more cryptography than
 * the rest of these tests; the program then accepts deposits.
 */
export function configureConfidential({ svm }: Cluster, account: string): void {
  const found = svm.getAccount(account as Address);
  if (!found.exists) throw new Error(`${account} is not there`);
  const extension = Buffer.alloc(4 + state.bytes);
  extension.writeUInt16LE(confidentialAccount);
  extension.writeUInt16LE(state.bytes, 2);
  const content = extension.subarray(4);
  // Approved, with credits of both kinds allowed, up to many of them.
  content[0] = 1;
  content[state.end + 36] = 1;
  content[state.end + 37] = 1;
  content.writeBigUInt64LE(65_536n, state.end + 38 + 8);
  const data = Buffer.concat([found.data, extension]);
  svm.setAccount({ ...found, data, space: BigInt(data.length) });
}

/** Moves a part of the public balance of a token account into its confidential one. */
export function deposit(account: string, mint: string, owner: KeyPairSigner, amount: bigint): Instruction {
  const data = Buffer.alloc(11);
  data.set([27, 5]);
  data.writeBigUInt64LE(amount, 2);
  return {
    programAddress: token2022Program as Address,
    accounts: [writable(account), readonly(mint), signing(owner)],
    data,
  };
}

/** A transaction as nodes return it if its first instruction moves an encrypted amount between its first and its third account. */
export function madeConfidential(ran: ExecutedTransaction, tag = [27, 7]): ExecutedTransaction {
  const transaction = ran.transaction as { message: { instructions: object[] } };
  const [first, ...others] = transaction.message.instructions;
  const hidden = { ...first, data: base58.decode(Buffer.of(...tag, ...Buffer.alloc(100))) };
  const message = { ...transaction.message, instructions: [hidden, ...others] };
  return { ...ran, transaction: { ...transaction, message } };
}

/** The extensions of a token account as nodes decode them, of those that the service reads. */
export function decodedExtensions(data: Buffer): object[] {
  for (let at = 166; at + 4 <= data.length; at += 4 + data.readUInt16LE(at + 2)) {
    if (data.readUInt16LE(at) !== confidentialAccount) continue;
    const text = (from: number, to: number) => data.subarray(at + 4 + from, at + 4 + to).toString("base64");
    const { pendingLo, pendingHi, available, end } = state;
    const balances = {
      pendingBalanceLo: text(pendingLo, pendingHi),
      pendingBalanceHi: text(pendingHi, available),
      availableBalance: text(available, end),
    };
    return [{ extension: "confidentialTransferAccount", state: balances }];
  }
  return [];
}
