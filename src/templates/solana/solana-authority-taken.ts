import { needsAccount } from "../checks.ts";
import { type Check, defineTemplate, eachStateChange, whereverItApplies } from "../template.ts";

const hasAuthority: Check = (facts, target) => {
  const reason = needsAccount("program", "mint", "token_account", "nonce")(facts, target);
  if (reason || target || facts.profile?.account?.has_authority !== false) return reason;
  return "The address has no authority that could be taken.";
};

/** The config of the target by the kind of account. */
const accounts = new Map([
  ["token_account", "token"],
  ["nonce", "nonce"],
]);

/**
 * Source: attacks in which the mint or upgrade authority was taken first. The transactions of a token account are read, because
 * it has few. Those of a mint are all transfers of the token, so that it is polled.
 */
export const solanaAuthorityTaken = defineTemplate({
  id: "solana_authority_taken",
  category: "governance",
  alsoIn: ["lending", "dex", "bridge", "oracle", "token", "vault"],
  name: "Authority changed",
  description:
    "Alerts if an authority of the program or the mint changes, or the owner, the delegate or the close authority of the token account, or who can use the durable nonce, and if it is frozen or closed. Of a mint, set account of the target to token to also find changes that are undone between two polls: all transactions of the token are then read.",
  target_type: "solana_authority_change",
  target_config: {},
  condition: eachStateChange,
  variantsFor({ profile }) {
    const account = accounts.get(profile?.account?.kind ?? "");
    return account ? [{ config: { account }, condition: eachStateChange }] : undefined;
  },
  severity: "critical",
  for_seconds: 0,
  check: hasAuthority,
  isRecommended: whereverItApplies,
});
