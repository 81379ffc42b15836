import type { Chain } from "./chain.ts";
import { evmFamily } from "./evm/family.ts";
import type { ChainFamily } from "./family.ts";
import { solanaFamily } from "./solana/family.ts";

const families: Record<Chain["kind"], ChainFamily> = {
  evm: evmFamily,
  solana: solanaFamily,
};

export function familyOf({ kind }: Pick<Chain, "kind">): ChainFamily {
  return families[kind];
}

/** Returns an address in the canonical spelling of its chain, or of any family where the chain is unknown. */
export function parseAddressOn(chain: Pick<Chain, "kind"> | undefined, text: string): string | undefined {
  if (chain) return familyOf(chain).parseAddress(text);
  return Object.values(families)
    .map((family) => family.parseAddress(text))
    .find((address) => address !== undefined);
}
