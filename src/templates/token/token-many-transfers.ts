import { needsEvent } from "../checks.ts";
import { type Condition, defineTemplate, type Variant } from "../template.ts";
import { excludeAddresses } from "./exclude-addresses.ts";
import { raiseAbovePeak } from "./raise-above-peak.ts";

const event_signature = "Transfer(address indexed from, address indexed to, uint256 value)";
const many: Condition = {
  operator: "gte",
  threshold: 12,
  aggregation: "count",
  window_seconds: 600,
  group_by: "args.to",
};

/** Source: Forta's scam detectors. Addresses that many holders use anyway, such as exchanges, are left out. */
export const tokenManyTransfers = defineTemplate({
  id: "token_many_transfers",
  category: "token",
  name: "Many transfers to one recipient",
  description:
    "Alerts if there are 12 transfers to one recipient within ten minutes, and twice as many as to any recipient before, who may collect the tokens of victims. Recipients that many holders used before are left out.",
  target_type: "event_frequency",
  target_config: { event_signature },
  condition: many,
  variantsFor: ({ profile }) =>
    profile?.usual ? [variantOf(profile.usual.recipients, profile.usual.recipient_peak)] : undefined,
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("Transfer(address,address,uint256)"),
  isRecommended: ({ contract_type, profile }) => contract_type === "erc20" && profile?.usual != null,
});

function variantOf(usual: readonly string[], peak: number): Variant {
  const filter = excludeAddresses("to", usual);
  const source = `${usual.length} recipients that many holders used in the last blocks are left out; another one had at most ${peak} transfers in ten minutes.`;
  return {
    config: { event_signature, ...(filter && { filter }) },
    condition: raiseAbovePeak(many, peak),
    source,
  };
}
