import type { Chain } from "./chain.ts";
import { parseAddress } from "./evm/values/address.ts";
import { parseSolanaAddress } from "./solana/accounts/address.ts";

/** An address in the one spelling that its family of chains has; of an unknown chain, in any. Undefined when it is none. */
export function parseAddressOn(kind: Chain["kind"] | undefined, text: string): string | undefined {
  if (kind === "evm") return parseAddress(text);
  return kind === "solana" ? parseSolanaAddress(text) : (parseAddress(text) ?? parseSolanaAddress(text));
}
