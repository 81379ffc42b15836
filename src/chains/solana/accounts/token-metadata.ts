import type { AccountState } from "./account-state.ts";
import { addressOfBytes, bytesOfAddress, deriveAddress } from "./address.ts";

export const tokenMetadataProgram = "metaqbxxUerdq28cj1RbAWkTQm3ybzjb6a8bt518x1s";
/** The first bytes of an account of Metaplex Token Metadata: its kind, the update authority and the mint. */
export const tokenMetadataBytes = 65;
const metadataKind = 4;

/** The address at which Metaplex Token Metadata has the name and the image of a token. */
export function tokenMetadataOf(mint: string): string {
  const seeds = [Buffer.from("metadata"), bytesOfAddress(tokenMetadataProgram), bytesOfAddress(mint)];
  return deriveAddress(tokenMetadataProgram, seeds);
}

/** Returns who can change the name and the image of a token; undefined if it has no such account. */
export function updateAuthorityOf(account: AccountState | undefined): string | undefined {
  if (account?.owner !== tokenMetadataProgram || account.data.length < tokenMetadataBytes) return undefined;
  return account.data[0] === metadataKind ? addressOfBytes(account.data.subarray(1, 33)) : undefined;
}
