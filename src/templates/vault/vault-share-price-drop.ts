import { defineTemplate, whereverItApplies } from "../template.ts";
import { needsVault, sharePriceConfig, sharePriceVariants, withinAnHour } from "./share-price.ts";

const condition = withinAnHour("change_pct_lt", -1);

export const vaultSharePriceDrop = defineTemplate({
  id: "vault_share_price_drop",
  category: "vault",
  name: "Value of a share down by 1 % in an hour",
  description:
    "Alerts if the value of one share of the vault falls by more than 1 % within an hour. The vault has lost assets.",
  target_type: "view_function",
  target_config: sharePriceConfig(18, 18),
  condition,
  variantsFor: (facts) => sharePriceVariants(facts, condition),
  severity: "critical",
  for_seconds: 0,
  check: needsVault,
  isRecommended: whereverItApplies,
});
