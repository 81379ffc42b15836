import type { Asset } from "../../inspection/profile/profile.ts";
import { durationText } from "../../lib/text.ts";
import { needsAssets } from "../checks.ts";
import { type Condition, defineTemplate, whereverItApplies } from "../template.ts";

type Flows = Pick<Asset, "outflow" | "outflows" | "inflow" | "drains">;

const maxPercent = 30;
/** A large holder may leave any day, which a short past does not show. A fifth is a drain. */
const minPercent = { ofLongPast: 10, ofShortPast: 18 };
const longPastSeconds = 3 * 86_400;
/** With fewer transfers from the contract, a short past does not show how much leaves at once. */
const minOutflows = 10;
/** How much more than the largest movement of a short past may be ordinary: its whales did not come yet. */
const roomForWhales = 8;

/** Twice of what was usual, within bounds. */
function drained(flows: Flows = {}, unknownPercent = maxPercent): Condition {
  const { outflow } = flows;
  const usual = outflow === undefined ? unknownPercent : Math.ceil(200 * outflow);
  const least = outflow === undefined ? unknownPercent : leastPercent(flows);
  const threshold = -Math.min(maxPercent, Math.max(least, usual));
  return { operator: "change_pct_lt", threshold, aggregation: "last", window_seconds: 600 };
}

/** Without a past, a fifth is a drain of what a contract holds for many. The owners of a wallet may pay more at once. */
function percentWithoutPast(contract_type: string): number {
  return ["wallet", "safe"].includes(contract_type) ? maxPercent : minPercent.ofShortPast;
}

/** Who brought much may take it away: what arrived at once is as telling as what left. */
function leastPercent({ outflow = 1, outflows = 0, inflow = 1, drains }: Flows): number {
  if (drains && drains.to - drains.from >= longPastSeconds) return minPercent.ofLongPast;
  if (outflows < minOutflows) return minPercent.ofShortPast;
  const room = Math.ceil(100 * roomForWhales * Math.max(outflow, inflow));
  return Math.min(minPercent.ofShortPast, Math.max(minPercent.ofLongPast, room));
}

/** Source: Forta's asset drain detector. A drop of one asset needs no price. */
export const assetDrained = defineTemplate({
  id: "asset_drained",
  category: "vault",
  alsoIn: ["lending", "dex", "bridge", "proxy", "safe", "wallet", "other"],
  name: "Tokens drained",
  description:
    "Alerts if the balance of one of the tokens that the contract holds falls by more than 30 % within ten minutes, or by less if twice what was usual is less; at least 10 %, or up to 18 % while less than three days of its transfers are known and they do not show that so much would be unusual. Without known transfers it is 18 %, or 30 % of what a wallet or Safe holds. It may be a drain of its funds.",
  target_type: "token_balance",
  target_config: null,
  condition: drained(),
  variantsFor: ({ contract_type, profile }) =>
    profile?.assets.map(({ token, symbol, holder, is_collectible, ...flows }) => ({
      key: token,
      about: symbol ?? token,
      config: { token, ...(holder && { holder }), ...(is_collectible && { decimals: 0 }) },
      condition: drained(flows, percentWithoutPast(contract_type)),
      source: sourceOf(symbol ?? token, flows),
    })),
  severity: "critical",
  for_seconds: 0,
  check: (facts, target) =>
    facts.profile
      ? needsAssets(facts, target)
      : "The tokens of the contract are not known yet. Apply the template again when the contract was inspected.",
  isRecommended: whereverItApplies,
});

function sourceOf(symbol: string, { outflow, drains }: Flows): string {
  const held = `The contract holds ${symbol}.`;
  if (outflow === undefined) return `${held} Its past has too few transfers to show what is usual.`;
  const past = drains ? `the last ${durationText(drains.to - drains.from)}` : "its recent past";
  return `${held} In ${past}, at most ${(100 * outflow).toFixed(1)} % left within ten minutes.`;
}
