import { meterOf } from "../../meters/index.ts";
import { layerZeroChainOf } from "../bridge/layerzero-chains.ts";
import { type Facts, hasEvent } from "./facts.ts";

/** Something worth measuring on a contract, as `POST …/targets` takes it. */
export type SuggestedTarget = { target_type: string; config: Record<string, unknown>; reason: string };

type Suggest = (facts: Facts) => SuggestedTarget[];

/** What suits a kind of contract. */
const byType: Record<string, Suggest> = {
  erc20: (facts) => {
    const decimals = decimalsOf(facts);
    return [
      suggestion("token_supply", {}, "Watch the supply for tokens made or destroyed."),
      ...(decimals === undefined
        ? []
        : [suggestion("large_transfer", { decimals }, "Watch large transfers of the token.")]),
    ];
  },
  oracle_feed: () => [
    suggestion("oracle_price", {}, "Watch the price."),
    suggestion("oracle_staleness", {}, "Watch how long ago the price was updated."),
  ],
  governor: () => [suggestion("governance_proposal", {}, "Watch new proposals.")],
  timelock: () => [
    suggestion("governance_proposal", { governor_kind: "timelock" }, "Watch what is scheduled."),
    suggestion("timelock_delay", {}, "Watch the delay, which is everybody's warning time."),
  ],
  dex_pool: ({ probes }) => {
    if (probes.has("reserves"))
      return [
        suggestion("pool_imbalance", { pool_kind: "uniswap_v2" }, "Watch how unevenly the pool is filled."),
      ];
    return probes.address("coin0")
      ? [suggestion("pool_imbalance", { pool_kind: "curve" }, "Watch how unevenly the pool is filled.")]
      : [];
  },
  lending_pool: ({ probes }) =>
    probes.has("utilization")
      ? [suggestion("utilization", { preset: "compound_v3" }, "Watch how much of the supply is lent out.")]
      : [],
  safe: () => [suggestion("native_balance", {}, "Watch what the multisig holds.")],
};

/** What suits by a single ability, whatever the contract is. */
const byCapability: readonly Suggest[] = [
  ({ resolved: { hops } }) => {
    const [first] = hops;
    if (!first || ["eip1167", "eip7702", "safe"].includes(first.kind)) return [];
    const config = first.beacon ? { beacon: first.beacon } : {};
    return [suggestion("proxy_implementation", config, "Its code can be replaced: watch upgrades.")];
  },
  ({ probes }) => {
    const isControlled =
      probes.address("owner") || probes.supports("isAccessControl") || probes.addresses("owners").length > 0;
    return isControlled
      ? [suggestion("ownership_change", {}, "Somebody has power over it: watch who that is.")]
      : [];
  },
  ({ probes }) => (probes.has("paused") ? [suggestion("pause_state", {}, "It can be paused.")] : []),
  (facts) =>
    hasEvent(facts, liquidation)
      ? [suggestion("event_frequency", { event_signature: liquidation }, "Watch liquidations.")]
      : [],
];

const liquidation = "LiquidationCall(address,address,address,uint256,uint256,address,bool)";

/** Targets worth having on a contract, each one that its meter takes. */
export function suggestTargets(
  facts: Facts,
  contract_type: string,
  eids: readonly number[] = [],
): SuggestedTarget[] {
  const found = [
    ...(byType[contract_type]?.(facts) ?? []),
    ...bridgeTargets(facts, contract_type, eids),
    ...byCapability.flatMap((suggest) => suggest(facts)),
    suggestion("tx_rate", {}, "Watch how much the contract is used."),
    suggestion("revert_rate", {}, "Watch how many calls fail."),
  ];
  return found.filter(isAccepted);
}

/** The routes have to be known for that, and on chains without a known deployment the library as well. */
function bridgeTargets({ chain }: Facts, contract_type: string, eids: readonly number[]): SuggestedTarget[] {
  if (contract_type !== "bridge_oapp" || eids.length === 0 || !layerZeroChainOf(chain.chain)?.receive_library)
    return [];
  return [
    suggestion(
      "bridge_config",
      { eids: eids.slice(0, 50) },
      "Watch who must verify the messages that it accepts.",
    ),
  ];
}

function suggestion(target_type: string, config: Record<string, unknown>, reason: string): SuggestedTarget {
  return { target_type, config, reason };
}

function isAccepted({ target_type, config }: SuggestedTarget): boolean {
  const meter = meterOf(target_type);
  const parsed = meter?.config.safeParse(config);
  return (
    meter !== undefined && parsed?.success === true && meter.configProblem?.(parsed.data, "evm") === undefined
  );
}

function decimalsOf({ probes }: Facts): number | undefined {
  const decimals = probes.integer("decimals");
  return decimals !== undefined && decimals <= 77n ? Number(decimals) : undefined;
}
