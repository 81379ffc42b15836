import type { Chain } from "./chain.ts";
import { readAddress } from "./evm/values/address.ts";
import { readSolanaAddress } from "./solana/accounts/address.ts";

/** An address in the one spelling that its family of chains has; of an unknown chain, in any. Undefined when it is none. */
export function readAddressOn(kind: Chain["kind"] | undefined, text: string): string | undefined {
  if (kind === "evm") return readAddress(text);
  return kind === "solana" ? readSolanaAddress(text) : (readAddress(text) ?? readSolanaAddress(text));
}
