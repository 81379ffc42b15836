import { type Address, generateKeyPairSigner, lamports } from "@solana/kit";
import { bytesOfAddress } from "../../../src/chains/solana/accounts/address.ts";
import type { Cluster } from "./cluster.ts";

/** The kind of account, the slots in which it is deactivated and was extended, its authority and padding. */
const headerBytes = 56;
const never = 2n ** 64n - 1n;

/** Creates a lookup table with addresses, to be given to `Cluster.run`. */
export async function makeLookupTable({ svm }: Cluster, addresses: readonly string[]) {
  const { address } = await generateKeyPairSigner();
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(1);
  header.writeBigUInt64LE(never, 4);
  const data = Buffer.concat([header, ...addresses.map(bytesOfAddress)]);
  svm.setAccount({
    ...{ address, data, executable: false, space: BigInt(data.length) },
    ...{ lamports: lamports(10_000_000n) },
    programAddress: "AddressLookupTab1e1111111111111111111111111" as Address,
  });
  return { [address]: addresses as Address[] };
}
