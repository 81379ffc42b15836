import type { Subject } from "../../chains/activity.ts";
import type { Read } from "../../chains/block.ts";

/** The read of a token balance on Solana. A program has what its vaults hold, because it cannot own tokens itself. */
export function solanaBalanceRead(mint: string, holder: string, { address, tokenAccounts }: Subject): Read {
  const vaults = (holder === address ? (tokenAccounts ?? []) : []).flatMap(({ account, owner, ...held }) =>
    owner && held.mint === mint ? [{ account, owner }] : [],
  );
  return vaults.length > 0
    ? { kind: "vault_balance", mint, vaults }
    : { kind: "token_balance", mint, holder };
}
