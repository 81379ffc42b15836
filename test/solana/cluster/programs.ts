import type { Address, Instruction, KeyPairSigner } from "@solana/kit";
import { generateKeyPairSigner, getBase58Decoder, getBase58Encoder } from "@solana/kit";
import {
  bytesOfAddress,
  tokenAccountsOf,
  tokenProgram,
} from "../../../src/chains/solana/accounts/address.ts";
import { type Cluster, type ExecutedTransaction, readonly, signing, writable } from "./cluster.ts";

export const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const systemProgram = "11111111111111111111111111111111";
const associatedProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";

/** The IDL of the token program in the legacy format, with one-byte discriminants. */
export const tokenIdl = {
  version: "3.3.0",
  name: "spl_token",
  instructions: [
    {
      name: "transfer",
      discriminant: { type: "u8", value: 3 },
      accounts: [{ name: "source" }, { name: "destination" }, { name: "owner" }],
      args: [{ name: "amount", type: "u64" }],
    },
    {
      name: "mintTo",
      discriminant: { type: "u8", value: 7 },
      accounts: [{ name: "mint" }, { name: "account" }],
      args: [{ name: "amount", type: "u64" }],
    },
    {
      name: "initializeAccount3",
      discriminant: { type: "u8", value: 18 },
      args: [{ name: "owner", type: "publicKey" }],
    },
  ],
};

function instruction(program: string, accounts: Instruction["accounts"], data: Uint8Array): Instruction {
  return { programAddress: program as Address, accounts: accounts ?? [], data };
}

export function memo(text: string): Instruction {
  return instruction(memoProgram, [], Buffer.from(text));
}

export function transferSol(from: KeyPairSigner, to: string, amount: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(amount, 4);
  return instruction(systemProgram, [signing(from), writable(to)], data);
}

/** Offers micro-lamports per compute unit. */
export function computeUnitPrice(price: bigint): Instruction {
  return instruction("ComputeBudget111111111111111111111111111111", [], tagged(3, price));
}

/** Creates a mint and returns instructions for its accounts. */
export async function makeToken(cluster: Cluster, decimals = 6) {
  const mint = await generateKeyPairSigner();
  const { payer } = cluster;
  const creationOf = (bytes: bigint) => {
    const create = Buffer.alloc(52);
    create.writeBigUInt64LE(cluster.svm.minimumBalanceForRentExemption(bytes), 4);
    create.writeBigUInt64LE(bytes, 12);
    bytesOfAddress(tokenProgram).copy(create, 20);
    return create;
  };
  const initialize = Buffer.concat([Buffer.of(20, decimals), bytesOfAddress(payer.address), Buffer.of(0)]);
  const creation = await cluster.run([
    instruction(systemProgram, [signing(payer), signing(mint)], creationOf(82n)),
    instruction(tokenProgram, [writable(mint.address)], initialize),
  ]);
  const account = (holder: string) => tokenAccountsOf(holder, mint.address)[0] as string;
  const mintInto = (token_account: string, amount: bigint) =>
    instruction(
      tokenProgram,
      [writable(mint.address), writable(token_account), signing(payer)],
      tagged(7, amount),
    );
  return {
    mint: mint.address as string,
    made: creation,
    account,
    open: (holder: string) =>
      instruction(
        associatedProgram,
        [
          signing(payer),
          writable(account(holder)),
          readonly(holder),
          readonly(mint.address),
          readonly(systemProgram),
          readonly(tokenProgram),
        ],
        Buffer.of(1),
      ),
    /** Opens a token account of a holder at any address, which its key signs. */
    openAt: (at: KeyPairSigner, holder: string) => [
      instruction(systemProgram, [signing(payer), signing(at)], creationOf(165n)),
      instruction(
        tokenProgram,
        [writable(at.address), readonly(mint.address)],
        Buffer.concat([Buffer.of(18), bytesOfAddress(holder)]),
      ),
    ],
    mintTo: (holder: string, amount: bigint) => mintInto(account(holder), amount),
    mintInto,
    /** Sends what a token account holds to another one, and closes it. */
    closeAt: (from: string, owner: KeyPairSigner, to: string, amount: bigint) => [
      instruction(tokenProgram, [writable(from), writable(to), signing(owner)], tagged(3, amount)),
      instruction(tokenProgram, [writable(from), writable(payer.address), signing(owner)], Buffer.of(9)),
    ],
    /** Gives the token account of a holder to another owner. */
    reassign: (from: KeyPairSigner, to: string) =>
      instruction(
        tokenProgram,
        [writable(account(from.address)), signing(from)],
        Buffer.concat([Buffer.of(6, 2, 1), bytesOfAddress(to)]),
      ),
    /** Gives the mint authority to another address. */
    setMintAuthority: (from: KeyPairSigner, to: string) =>
      instruction(
        tokenProgram,
        [writable(mint.address), signing(from)],
        Buffer.concat([Buffer.of(6, 0, 1), bytesOfAddress(to)]),
      ),
    approve: (from: KeyPairSigner, delegate: string, amount: bigint) =>
      instruction(
        tokenProgram,
        [writable(account(from.address)), readonly(delegate), signing(from)],
        tagged(4, amount),
      ),
    transfer: (from: KeyPairSigner, to: string, amount: bigint) =>
      instruction(
        tokenProgram,
        [writable(account(from.address)), writable(account(to)), signing(from)],
        tagged(3, amount),
      ),
  };
}

type Message = { instructions: { programIdIndex: number; accounts: number[]; data: string }[] };

/** A transaction as nodes return it if its instructions are those of one batch of a token program. */
export function inOneBatch(ran: ExecutedTransaction): ExecutedTransaction {
  const transaction = ran.transaction as { message: Message };
  const { instructions } = transaction.message;
  const parts = instructions.flatMap(({ accounts, data }) => {
    const bytes = getBase58Encoder().encode(data);
    return [Buffer.of(accounts.length, bytes.length), Buffer.from(bytes)];
  });
  const batch = {
    programIdIndex: instructions[0]?.programIdIndex,
    accounts: instructions.flatMap(({ accounts }) => accounts),
    data: getBase58Decoder().decode(Buffer.concat([Buffer.of(255), ...parts])),
  };
  return {
    ...ran,
    transaction: { ...transaction, message: { ...transaction.message, instructions: [batch] } },
  };
}

function tagged(tag: number, amount: bigint): Buffer {
  const data = Buffer.alloc(9);
  data[0] = tag;
  data.writeBigUInt64LE(amount, 1);
  return data;
}
