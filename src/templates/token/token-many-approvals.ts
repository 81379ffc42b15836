import type { Profile } from "../../inspection/profile/profile.ts";
import { needsEvent } from "../checks.ts";
import { type Condition, defineTemplate, type Variant } from "../template.ts";
import { excludeAddresses } from "./exclude-addresses.ts";
import { raiseAbovePeak } from "./raise-above-peak.ts";

const event_signature = "Approval(address indexed owner, address indexed spender, uint256 value)";
const many: Condition = {
  operator: "gte",
  threshold: 8,
  aggregation: "count",
  window_seconds: 600,
  group_by: "args.spender",
};

/** Source: Forta's scam detectors. Addresses that many holders use anyway, such as exchanges, are left out. */
export const tokenManyApprovals = defineTemplate({
  id: "token_many_approvals",
  category: "token",
  name: "Many approvals of one spender",
  description:
    "Alerts if there are 8 approvals of one spender within ten minutes, and twice as many as of any spender before, which may be phishing: the spender can take the tokens. Spenders that many holders used before are left out.",
  target_type: "event_frequency",
  target_config: { event_signature },
  condition: many,
  variantsFor: ({ contract_type, profile }) =>
    profile?.usual ? [variantOf(profile.usual, nonFungible.has(contract_type))] : undefined,
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("Approval(address,address,uint256)", "ApprovalForAll(address,address,bool)"),
  isRecommended: ({ contract_type, profile }) =>
    (contract_type === "erc20" || nonFungible.has(contract_type)) && profile?.usual != null,
});

type Usual = NonNullable<Profile["usual"]>;

const nonFungible: ReadonlySet<string> = new Set(["erc721", "erc1155"]);
const ofOperators = {
  event_signature: "ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  condition: { ...many, group_by: "args.operator" },
};

function variantOf({ spenders, spender_peak: peak }: Usual, isNonFungible: boolean): Variant {
  const filter = excludeAddresses(isNonFungible ? "operator" : "spender", spenders);
  const source = `${spenders.length} spenders that many holders used in the last blocks are left out; another one had at most ${peak} approvals in ten minutes.`;
  const { event_signature: event, condition } = isNonFungible
    ? ofOperators
    : { event_signature, condition: many };
  return {
    config: { event_signature: event, ...(filter && { filter }) },
    condition: raiseAbovePeak(condition, peak),
    source,
  };
}
