import { defineTemplate, whereverItApplies } from "../template.ts";
import { needsVault, sharePriceConfig, sharePriceVariants, withinAnHour } from "./share-price.ts";

const condition = withinAnHour("change_pct_gt", 5);

export const vaultSharePriceJump = defineTemplate({
  id: "vault_share_price_jump",
  category: "vault",
  name: "Value of a share up by 5 % in an hour",
  description:
    "Alerts if the value of one share of the vault rises by more than 5 % within an hour. Assets were added without new shares, as in an inflation attack.",
  target_type: "view_function",
  target_config: sharePriceConfig(18, 18),
  condition,
  variantsFor: (facts) => sharePriceVariants(facts, condition),
  severity: "critical",
  for_seconds: 0,
  check: needsVault,
  isRecommended: whereverItApplies,
});
