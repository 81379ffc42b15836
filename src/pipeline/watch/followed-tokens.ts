import type { WatchedContract } from "./watch-list.ts";

/** The tokens whose transfers from and to a contract are measured. */
export function followedTokensOf({ subject, targets }: WatchedContract): string[] {
  return [...new Set(targets.flatMap(({ meter, config }) => meter.followedTokens?.(config, subject) ?? []))];
}

/** The tokens whose transfers or balance are measured: the vaults of a program hold them. */
export function vaultTokensOf(contract: WatchedContract): string[] {
  const { subject, targets } = contract;
  const held = targets.flatMap(({ meter, config }) => meter.heldTokens?.(config, subject) ?? []);
  return [...new Set([...followedTokensOf(contract), ...held])].sort();
}
