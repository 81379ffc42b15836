import { zeroAddress } from "../../chains/evm/values/address.ts";
import type { Profile } from "../../inspection/profile/profile.ts";
import { needsEvent } from "../checks.ts";
import { type Condition, defineTemplate, type Variant } from "../template.ts";
import { excludeAddresses } from "./exclude-addresses.ts";
import { raiseAbovePeak } from "./raise-above-peak.ts";

/** Tokens, collectibles (ERC-721) and items (ERC-1155) report transfers by different events. */
const [ofTokens, ofCollectibles, ofItems] = [
  "Transfer(address indexed from, address indexed to, uint256 value)",
  "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
];
const eventOf: Record<string, string> = { erc20: ofTokens, erc721: ofCollectibles, erc1155: ofItems };
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
  target_config: { event_signature: ofTokens },
  condition: many,
  variantsFor: ({ contract_type, profile }) =>
    profile?.usual ? [variantOf(profile.usual, eventOf[contract_type] ?? ofTokens)] : undefined,
  severity: "warning",
  for_seconds: 0,
  check: needsEvent(
    "Transfer(address,address,uint256)",
    "TransferSingle(address,address,address,uint256,uint256)",
  ),
  isRecommended: ({ contract_type, profile }) => contract_type in eventOf && profile?.usual != null,
});

function variantOf(
  { recipients, recipient_peak: peak }: NonNullable<Profile["usual"]>,
  event_signature: string,
): Variant {
  const filter = [
    excludeAddresses("to", recipients),
    // A mint takes a collectible from nobody.
    event_signature === ofTokens ? undefined : excludeAddresses("from", [zeroAddress]),
  ].filter((part) => part !== undefined);
  return {
    config: { event_signature, ...(filter.length > 0 && { filter: filter.join(" and ") }) },
    condition: raiseAbovePeak(many, peak),
    source: `${recipients.length} recipients that many holders used in the last blocks are left out; another one had at most ${peak} transfers in ten minutes.`,
  };
}
