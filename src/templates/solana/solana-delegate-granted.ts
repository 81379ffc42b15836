import { needsAccount } from "../checks.ts";
import { defineTemplate, eachStateChange } from "../template.ts";

/** Source: the drainers of Solana, who have their victims approve a delegate or give away an account. */
export const solanaDelegateGranted = defineTemplate({
  id: "solana_delegate_granted",
  category: "wallet",
  alsoIn: ["token", "vault"],
  name: "Delegate granted",
  description:
    "Alerts if a delegate is granted on a token account of the wallet, which it can then empty at any time, if a token account or the wallet itself is given to someone else, or if someone else may close a token account.",
  target_type: "solana_delegation",
  target_config: {},
  condition: eachStateChange,
  severity: "critical",
  for_seconds: 0,
  check: needsAccount("wallet", "token_account"),
  // The template on authorities covers the delegate of a single token account.
  isRecommended: ({ profile }) => profile?.account?.kind === "wallet",
});
