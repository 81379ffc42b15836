import { durationText } from "../../lib/text.ts";
import type { ProfiledFacts } from "../classify/facts.ts";
import { type Suggest, type SuggestedTarget, suggestion } from "./suggested-target.ts";

const approvalForAll = "ApprovalForAll(address indexed owner, address indexed operator, bool approved)";
const approval = "Approval(address indexed owner, address indexed spender, uint256 value)";

/** Suggestions by contract type. */
export const byType: Record<string, Suggest> = {
  erc20: (facts) => {
    const { token } = facts.profile;
    return [
      suggestion("token_supply", {}, "The contract is a token: monitor its supply for mints and burns."),
      ...(token
        ? [
            suggestion(
              "large_transfer",
              { decimals: token.decimals },
              "The contract is a token: monitor large transfers.",
            ),
          ]
        : []),
      suggestion(
        "event_frequency",
        { event_signature: approval },
        "The contract is a token: many approvals of one spender may be phishing.",
      ),
    ];
  },
  erc721: () => [
    suggestion("token_supply", { decimals: 0 }, "The contract is a token: monitor its supply."),
    suggestion(
      "event_frequency",
      { event_signature: approvalForAll },
      "The contract is a token: many approvals of one operator may be phishing.",
    ),
  ],
  erc1155: () => [
    suggestion(
      "event_frequency",
      { event_signature: approvalForAll },
      "The contract is a token: many approvals of one operator may be phishing.",
    ),
  ],
  vault: ({ profile: { vault } }) => [
    suggestion("token_supply", {}, "The contract issues shares: monitor their supply."),
    ...(vault
      ? [
          suggestion(
            "view_function",
            {
              signature: "convertToAssets(uint256 shares) view returns (uint256)",
              args: [String(10n ** BigInt(vault.share_decimals))],
              decimals: vault.asset_decimals,
            },
            "The contract is a vault: the value of one share falls when the vault loses assets.",
          ),
        ]
      : []),
  ],
  oracle_feed: ({ profile: { feed } }) => [
    suggestion(
      "oracle_price",
      feed?.aggregator ? { aggregator: feed.aggregator } : {},
      "The contract is a price feed: monitor its price.",
    ),
    suggestion(
      "oracle_staleness",
      { heartbeat_seconds: feed?.heartbeat_seconds ?? 86_400 },
      feed
        ? `The contract is a price feed whose last ${feed.rounds} rounds show an update at least every ${durationText(feed.heartbeat_seconds)}.`
        : "The contract is a price feed: monitor the age of its price. Its rounds do not show the heartbeat; one day is assumed.",
    ),
  ],
  price_source: ({ profile: { price_source } }) =>
    price_source
      ? [suggestion("oracle_price", price_source, "The contract returns a price: monitor it for jumps.")]
      : [],
  governor: () => [
    suggestion("governance_proposal", {}, "The contract is a governor: monitor new proposals."),
  ],
  timelock: () => [
    suggestion(
      "governance_proposal",
      { governor_kind: "timelock" },
      "The contract is a timelock: monitor queued operations.",
    ),
    suggestion("timelock_delay", {}, "Monitor the delay: it is the time that users have to react."),
  ],
  access_manager: () => [
    suggestion("ownership_change", {}, "The contract manages roles: monitor who gets or loses them."),
  ],
  dex_pool: suggestForPool,
  lending_pool: suggestForMarket,
  wallet: () => [
    suggestion("native_balance", {}, "The address is a wallet: its balance pays for its transactions."),
    suggestion("inactivity", {}, "The address is a wallet: monitor the time since its last transaction."),
    suggestion(
      "activity_rhythm",
      {},
      "The address is a wallet: a keeper or relayer that sends at regular times is missed when it stops.",
    ),
    suggestion(
      "large_transfer",
      { native: true },
      "The address is a wallet: monitor large native transfers.",
    ),
  ],
  safe: () => [suggestion("native_balance", {}, "The contract is a multisig: monitor its native balance.")],
};

function suggestForPool({ profile: { pool } }: ProfiledFacts): SuggestedTarget[] {
  if (!pool) return [];
  const { kind, decimals } = pool;
  if (kind === "curve")
    return [
      suggestion(
        "pool_imbalance",
        { pool_kind: "curve", coins: decimals.length, decimals },
        "The pool trades assets of equal value: traders leave the one that loses its peg.",
      ),
    ];
  return [
    suggestion(
      "pool_price",
      { pool_kind: kind, decimals },
      "The contract is a pool of two assets: monitor its price for manipulation.",
    ),
  ];
}

function suggestForMarket({ profile: { market } }: ProfiledFacts): SuggestedTarget[] {
  const reason = "The contract is a lending market: near full utilisation, lenders cannot withdraw.";
  switch (market?.kind) {
    case "compound_v2":
    case "compound_v3":
      return [suggestion("utilization", { preset: market.kind }, reason)];
    case "own": {
      const { borrow_function, supply_function } = market;
      return [suggestion("utilization", { borrow_function, supply_function }, reason)];
    }
    case "aave_v3": {
      const { data_provider, assets } = market;
      return [suggestion("utilization", { preset: "aave_v3", data_provider, assets }, reason)];
    }
    default:
      return [];
  }
}
