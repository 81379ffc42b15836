import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from "@solana/kit";
import {
  bytesOfAddress,
  token2022Program,
  tokenAccountsOf,
} from "../../../src/chains/solana/accounts/address.ts";
import { type Cluster, readonly, signing, writable } from "./cluster.ts";

const systemProgram = "11111111111111111111111111111111";
const associatedProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
/** The base, the kind, and the extensions with their heads: the fee of transfers and the permanent delegate. */
const mintBytes = 166 + 112 + 36;

const u64 = (amount: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(amount);
  return bytes;
};

/** Creates a mint of Token-2022 that withholds 1 % of each transfer and has a permanent delegate. */
export async function makeFeeToken(cluster: Cluster, decimals = 0) {
  const mint = await generateKeyPairSigner();
  const { payer, svm } = cluster;
  const own = bytesOfAddress(payer.address);
  const token = (accounts: Instruction["accounts"], ...data: Buffer[]): Instruction => ({
    programAddress: token2022Program as Address,
    accounts: accounts ?? [],
    data: Buffer.concat(data),
  });
  const create = Buffer.concat([
    Buffer.alloc(4),
    u64(svm.minimumBalanceForRentExemption(BigInt(mintBytes))),
    u64(BigInt(mintBytes)),
    bytesOfAddress(token2022Program),
  ]);
  const fee = Buffer.of(100, 0);
  const made = await cluster.run([
    { programAddress: systemProgram as Address, accounts: [signing(payer), signing(mint)], data: create },
    token([writable(mint.address)], Buffer.of(26, 0, 1), own, Buffer.of(1), own, fee, u64(1_000_000n)),
    token([writable(mint.address)], Buffer.of(35), own),
    token([writable(mint.address)], Buffer.of(20, decimals), own, Buffer.of(0)),
  ]);
  if (made.hasFailed) throw new Error("the mint was not created");
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
    transfer: (from: KeyPairSigner, to: string, amount: bigint) =>
      token(
        [writable(account(from.address)), readonly(mint.address), writable(account(to)), signing(from)],
        ...[Buffer.of(12), u64(amount), Buffer.of(decimals)],
      ),
    setPermanentDelegate: (to: string) =>
      token([writable(mint.address), signing(payer)], Buffer.of(6, 8, 1), bytesOfAddress(to)),
    setFee: (basisPoints: number) =>
      token(
        [writable(mint.address), signing(payer)],
        ...[Buffer.of(26, 5, basisPoints & 0xff, basisPoints >> 8), u64(1_000_000n)],
      ),
  };
}
