import {
  type Address,
  generateKeyPairSigner,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  lamports,
} from "@solana/kit";
import { tokenProgram } from "../../../src/chains/solana/accounts/address.ts";
import { type Cluster, type ExecutedTransaction, readonly, signing, writable } from "./cluster.ts";
import { dataBytes, type ForwardedAccount, forwarderCode } from "./forwarder-code.ts";

const seed = "authority";
const transferChecked = 12;
const transfer = 3;

/** What a transfer through a program needs: the owner of the source signs, or the program for it. */
export type Move = { from: string; to: string; owner: KeyPairSigner | string; amount: bigint };

/** How the accounts of a token look: SPL Token, or Token-2022, whose transfers name the mint. */
export type TokenLayout = {
  tokenProgram: string;
  accountBytes: number;
  /** The mint, its size and its decimals, if transfers name it. */
  checked?: { mint: string; bytes: number; decimals: number };
};

const splLayout: TokenLayout = { tokenProgram, accountBytes: 165 };

/** Deploys a program that moves tokens with the signature of an address that it derives, for everyone. */
export async function deployVaultProgram(
  cluster: Cluster,
  layout = splLayout,
  { ownsAuthority = false } = {},
) {
  const token = { bytes: layout.accountBytes, isWritable: true };
  const { checked } = layout;
  const accounts: ForwardedAccount[] = [
    token,
    ...(checked ? [{ bytes: checked.bytes }] : []),
    token,
    { bytes: 0, isSigner: true },
  ];
  const { program, authority } = await deployForwarder(cluster, accounts);
  if (ownsAuthority) put(cluster, authority, program);
  return {
    program,
    authority,
    /** Transfers tokens between accounts through the program. */
    move: ({ from, to, owner, amount }: Move): Instruction => ({
      programAddress: program as Address,
      accounts: [
        writable(from),
        ...(checked ? [readonly(checked.mint)] : []),
        writable(to),
        typeof owner === "string" ? readonly(owner) : signing(owner),
        readonly(layout.tokenProgram),
      ],
      data: transferData(checked ? transferChecked : transfer, amount, checked?.decimals ?? 0),
    }),
  };
}

/**
 * Deploys a program that calls another one of `deployVaultProgram` with its accounts, like a router. With `signs`, it passes
 * its own signature on.
 */
export async function deployRouter(cluster: Cluster, { signs = false } = {}) {
  const bytesOf = (address: string) => {
    const account = cluster.svm.getAccount(address as Address);
    return account.exists ? account.data.length : 0;
  };
  const token = { bytes: splLayout.accountBytes, isWritable: true };
  const accounts = [token, token, { bytes: 0, isSigner: signs }, { bytes: bytesOf(tokenProgram) }];
  const { program, authority } = await deployForwarder(cluster, accounts);
  return {
    program,
    authority,
    /** Has another program execute its instruction. */
    route: ({ programAddress, accounts: given = [], data = Buffer.of() }: Instruction): Instruction => ({
      programAddress: program as Address,
      accounts: [...given, readonly(programAddress)],
      data,
    }),
  };
}

/** Deploys a program that forwards instruction data of a length to another program. */
export async function deployForwarder(cluster: Cluster, accounts: ForwardedAccount[], length = dataBytes) {
  const { address: program } = await generateKeyPairSigner();
  const [authority, bump] = await getProgramDerivedAddress({ programAddress: program, seeds: [seed] });
  cluster.svm.addProgram(program, forwarderCode(accounts, { seed, bump, length }));
  return { program: program as string, authority: authority as string };
}

/** Creates an empty account that a program owns. */
function put({ svm }: Cluster, address: string, program: string): void {
  svm.setAccount({
    address: address as Address,
    data: new Uint8Array(),
    executable: false,
    lamports: lamports(10_000_000n),
    programAddress: program as Address,
    space: 0n,
  });
}

function transferData(tag: number, amount: bigint, decimals: number): Buffer {
  const data = Buffer.alloc(dataBytes);
  data[0] = tag;
  data.writeBigUInt64LE(amount, 1);
  data[9] = decimals;
  return data;
}

/** The same transaction with all accounts that need not sign in a lookup table. */
export function withLookupTable(ran: ExecutedTransaction, signers = 1): ExecutedTransaction {
  const loaded = ran.accounts.slice(signers);
  const { message, ...transaction } = ran.transaction as { message: object };
  return {
    ...ran,
    transaction: { ...transaction, message: { ...message, accountKeys: ran.accounts.slice(0, signers) } },
    meta: { ...ran.meta, loadedAddresses: { writable: loaded, readonly: [] } },
  };
}
