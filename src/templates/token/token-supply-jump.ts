import { needsToken } from "../checks.ts";
import { type Condition, defineTemplate } from "../template.ts";

/** Source: Forta's detector of large mints. */
export const tokenSupplyJump = defineTemplate({
  id: "token_supply_jump",
  category: "token",
  alsoIn: ["vault"],
  name: "Supply up within an hour",
  description:
    "Alerts if the supply of the token rises by more than 10 % within an hour, or by three times what was usual if that is less; at least 2 %. New tokens dilute those of all holders and can be sold.",
  target_type: "token_supply",
  target_config: {},
  condition: up(10),
  variantsFor({ profile }) {
    const minted = profile?.usual?.minted;
    if (minted === undefined) return undefined;
    const percent = Math.min(10, Math.max(2, Math.ceil(300 * minted)));
    const source = `In its recent past, at most ${(100 * minted).toFixed(2)} % of the supply was minted within an hour.`;
    return [{ config: {}, condition: up(percent), source }];
  },
  severity: "critical",
  for_seconds: 0,
  check: needsToken,
  // Deposits and withdrawals change the supply of shares and of liquidity tokens all the time.
  isRecommended: ({ contract_type, profile }) =>
    ["erc20", "erc721", "bridge_oapp"].includes(contract_type) || profile?.account?.kind === "mint",
});

function up(threshold: number): Condition {
  return { operator: "change_pct_gt", threshold, aggregation: "last", window_seconds: 3600 };
}
