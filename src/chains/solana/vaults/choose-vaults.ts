import type { TokenAccount } from "../../family.ts";
import type { Vault } from "./vault.ts";

/**
 * The vaults of one token that are followed. Following the transactions of an account takes as many calls as following a
 * contract.
 */
const maxFollowed = 20;
/** A vault takes the place of another one only if it holds more than this many times as much, so that they do not alternate. */
const minFactor = 2n;

/**
 * Chooses the vaults of each token that are followed: those that are followed already, and of the others those that hold the most.
 * A vault gives way only to a larger one, so that what the followed vaults hold together never falls because of the choice.
 */
export function chooseVaults(
  found: readonly Vault[],
  known: readonly TokenAccount[],
  tokens: readonly string[],
): TokenAccount[] {
  const isKnown = new Set(known.map(({ account }) => account));
  return tokens
    .flatMap((token) => {
      const ofToken = found.filter(({ mint }) => mint === token).toSorted(byAmount);
      const [followed, others] = [
        ofToken.filter(({ account }) => isKnown.has(account)),
        ofToken.filter(({ account, amount }) => !isKnown.has(account) && amount > 0n),
      ];
      return chooseOfToken(followed, others);
    })
    .map(({ account, mint, owner }) => ({ account, mint, owner }))
    .toSorted((a, b) => (a.account < b.account ? -1 : 1));
}

/** Both lists start with those that hold the most. */
function chooseOfToken(followed: readonly Vault[], others: readonly Vault[]): Vault[] {
  const chosen = [...followed];
  for (const other of others) {
    const smallest = chosen.at(-1);
    if (smallest && chosen.length >= maxFollowed) {
      if (other.amount <= minFactor * smallest.amount) break;
      chosen.pop();
    }
    chosen.push(other);
    chosen.sort(byAmount);
  }
  return chosen;
}

function byAmount(a: Vault, b: Vault): number {
  return a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0;
}
