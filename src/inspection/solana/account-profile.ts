import { toUnits } from "../../meters/units.ts";
import { describeController } from "../control/describe-controller.ts";
import { type Asset, emptyProfile, type Profile } from "../profile/profile.ts";
import type { AccountFacts } from "./account-facts.ts";
import { kindOf } from "./classify-account.ts";
import { authoritiesOf, powersOf } from "./powers.ts";

const maxAssets = 8;
const lamportDecimals = 9;

/** Tokens of value. Everyone can send others to a wallet, so that these come first. */
const wellKnown = new Map([
  ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC"],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT"],
  ["So11111111111111111111111111111111111111112", "wSOL"],
  ["2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", "PYUSD"],
  ["USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA", "USDS"],
  ["HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr", "EURC"],
  ["J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn", "JitoSOL"],
  ["mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", "mSOL"],
  ["cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij", "cbBTC"],
]);

/** What the templates and thresholds of a Solana address follow. */
export function accountProfileOf(facts: AccountFacts): Profile {
  const kind = kindOf(facts);
  const [upgrade] = powersOf(facts).filter(({ power }) => power === "upgrade_authority");
  return {
    ...emptyProfile,
    assets: assetsOf(facts),
    // Other accounts hold only the rent of their storage.
    holds_native: kind === "wallet" && facts.lamports > 0n,
    native_balance: toUnits(facts.lamports, lamportDecimals),
    account: {
      kind,
      has_authority: authoritiesOf(facts).length > 0,
      ...(upgrade && { upgraded_by: describeController(upgrade.holder) }),
    },
  };
}

/** The tokens that an address holds; of a program, in its vaults. Those of value come first. */
export function assetsOf({ holding, holdingDecimals, owned, vaults }: AccountFacts): Asset[] {
  if (holding)
    return holding.amount > 0n && holdingDecimals !== undefined
      ? [assetOf(holding.mint, holdingDecimals)]
      : [];
  // A token without decimals is not fungible.
  const held = [...owned, ...vaults].filter(({ amount, decimals }) => amount > 0n && decimals > 0);
  const decimals = new Map(held.map((ownedAccount) => [ownedAccount.mint, ownedAccount.decimals]));
  return [...decimals]
    .map(([mint, places]) => assetOf(mint, places))
    .toSorted((a, b) => Number(b.symbol !== null) - Number(a.symbol !== null))
    .slice(0, maxAssets);
}

function assetOf(token: string, decimals: number): Asset {
  return { token, symbol: wellKnown.get(token) ?? null, decimals };
}
