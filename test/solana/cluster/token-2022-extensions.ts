import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from "@solana/kit";
import {
  bytesOfAddress,
  token2022Program,
  tokenAccountsOf,
} from "../../../src/chains/solana/accounts/address.ts";
import { type Cluster, readonly, signing, writable } from "./cluster.ts";

const associatedProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const systemProgram = "11111111111111111111111111111111";
/** The sizes of the extensions in the data of a mint, each with its head. */
const extensionBytes = {
  hook: 4 + 64,
  scale: 4 + 56,
  pause: 4 + 33,
  interest: 4 + 52,
  state: 4 + 1,
  delegate: 4 + 32,
  confidential: 4 + 65,
  hiddenSupply: 4 + 65 + 4 + 196,
};
/** The extensions of token accounts that their owner switches, by the number of their instruction. */
const switches = { guard: { number: 34, extension: 11 }, memo: { number: 30, extension: 8 } };

const f64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const i64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
};

/** Creates a mint with one extension on the real Token-2022 program; the payer is its authority. */
export async function makeExtendedMint(
  cluster: Cluster,
  extension: keyof typeof extensionBytes,
  { hook = systemProgram, decimals = 0 } = {},
) {
  const mint = await generateKeyPairSigner();
  const { payer, svm } = cluster;
  const own = bytesOfAddress(payer.address);
  const bytes = 166 + extensionBytes[extension];
  const token = (accounts: Instruction["accounts"], ...data: Buffer[]): Instruction => ({
    programAddress: token2022Program as Address,
    accounts: accounts ?? [],
    data: Buffer.concat(data),
  });
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(svm.minimumBalanceForRentExemption(BigInt(bytes)), 4);
  create.writeBigUInt64LE(BigInt(bytes), 12);
  bytesOfAddress(token2022Program).copy(create, 20);
  const confidential = [Buffer.of(27, 0), own, Buffer.of(1), Buffer.alloc(32)];
  const initialize: Record<keyof typeof extensionBytes, Buffer[]> = {
    hook: [Buffer.of(36, 0), own, bytesOfAddress(hook)],
    scale: [Buffer.of(43, 0), own, f64(1)],
    pause: [Buffer.of(44, 0), own],
    interest: [Buffer.of(33, 0), own, Buffer.of(100, 0)],
    state: [Buffer.of(28, 0, 2)],
    delegate: [Buffer.of(35), own],
    confidential,
    hiddenSupply: confidential,
  };
  const freezeAuthority = extension === "state" ? [Buffer.of(1), own] : [Buffer.of(0)];
  const hideSupply = token([writable(mint.address)], Buffer.of(42, 0), Buffer.alloc(32 + 36));
  const made = await cluster.run([
    { programAddress: systemProgram as Address, accounts: [signing(payer), signing(mint)], data: create },
    token([writable(mint.address)], ...initialize[extension]),
    ...(extension === "hiddenSupply" ? [hideSupply] : []),
    token([writable(mint.address)], Buffer.of(20, decimals), own, ...freezeAuthority),
  ]);
  if (made.hasFailed)
    throw new Error(`the mint with ${extension} was not created: ${JSON.stringify(made.meta)}`);
  const change = (...data: Buffer[]) => token([writable(mint.address), signing(payer)], ...data);
  const account = (holder: string) => tokenAccountsOf(holder, mint.address)[1] as string;
  return {
    mint: mint.address as string,
    account,
    open: (holder: string): Instruction => ({
      programAddress: associatedProgram as Address,
      accounts: [
        ...[signing(payer), writable(account(holder)), readonly(holder), readonly(mint.address)],
        ...[readonly(systemProgram), readonly(token2022Program)],
      ],
      data: Buffer.of(1),
    }),
    mintTo: (holder: string, amount: bigint) =>
      token([writable(mint.address), writable(account(holder)), signing(payer)], Buffer.of(7), u64(amount)),
    setHook: (program: string) => change(Buffer.of(36, 1), bytesOfAddress(program)),
    setScale: (factor: number, from = 0n) => change(Buffer.of(43, 1), f64(factor), i64(from)),
    pause: () => change(Buffer.of(44, 1)),
    resume: () => change(Buffer.of(44, 2)),
    setRate: (basisPoints: number) => change(Buffer.of(33, 1, basisPoints & 0xff, basisPoints >> 8)),
    setNewAccounts: (state: "usable" | "frozen") => change(Buffer.of(28, 1, state === "frozen" ? 2 : 1)),
    setConfidential: (auditor: string) => change(Buffer.of(27, 1, 0), bytesOfAddress(auditor)),
    thaw: (holder: string) =>
      token([writable(account(holder)), readonly(mint.address), signing(payer)], Buffer.of(11)),
    /** Switches an extension of a token account, for which it makes room first. */
    turn: (what: keyof typeof switches, holder: KeyPairSigner, isOn: boolean): Instruction[] => {
      const { number, extension: kind } = switches[what];
      const own = [
        writable(account(holder.address)),
        signing(payer),
        readonly(systemProgram),
        signing(holder),
      ];
      const room = token(own, Buffer.of(29, kind, 0));
      const turned = token(
        [writable(account(holder.address)), signing(holder)],
        Buffer.of(number, isOn ? 0 : 1),
      );
      return isOn ? [room, turned] : [turned];
    },
    /** A transfer that the owner, a delegate or the permanent delegate signs. */
    transfer: (by: KeyPairSigner, { from, to, amount }: { from: string; to: string; amount: bigint }) =>
      token(
        [writable(account(from)), readonly(mint.address), writable(account(to)), signing(by)],
        ...[Buffer.of(12), u64(amount), Buffer.of(decimals)],
      ),
    /** Gives an authority of the mint, by its number, to someone else. */
    setAuthority: (kind: number, to: string) => change(Buffer.of(6, kind, 1), bytesOfAddress(to)),
  };
}
