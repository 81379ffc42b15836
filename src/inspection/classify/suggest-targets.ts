import { meterOf } from "../../meters/index.ts";
import { layerZeroChainOf } from "../bridge/layerzero-chains.ts";
import { proxyTargetConfig } from "../proxy-target.ts";
import { type Facts, hasEvent } from "./facts.ts";

/** A recommended target, in the form that `POST …/targets` accepts, with the reason. */
export type SuggestedTarget = { target_type: string; config: Record<string, unknown>; reason: string };

type Suggest = (facts: Facts) => SuggestedTarget[];

/** Suggestions by contract type. */
const byType: Record<string, Suggest> = {
  erc20: (facts) => {
    const decimals = decimalsOf(facts);
    return [
      suggestion("token_supply", {}, "Monitor the total supply for mints and burns."),
      ...(decimals === undefined
        ? []
        : [suggestion("large_transfer", { decimals }, "Monitor large transfers of the token.")]),
    ];
  },
  oracle_feed: () => [
    suggestion("oracle_price", {}, "Monitor the price."),
    suggestion("oracle_staleness", {}, "Monitor the age of the latest price."),
  ],
  governor: () => [suggestion("governance_proposal", {}, "Monitor new proposals.")],
  timelock: () => [
    suggestion("governance_proposal", { governor_kind: "timelock" }, "Monitor queued operations."),
    suggestion("timelock_delay", {}, "Monitor the delay: it is the time that users have to react."),
  ],
  dex_pool: ({ probes }) => {
    if (probes.has("reserves"))
      return [
        suggestion(
          "pool_imbalance",
          { pool_kind: "uniswap_v2" },
          "Monitor the balance between the assets of the pool.",
        ),
      ];
    return probes.address("coin0")
      ? [
          suggestion(
            "pool_imbalance",
            { pool_kind: "curve" },
            "Monitor the balance between the assets of the pool.",
          ),
        ]
      : [];
  },
  lending_pool: ({ probes }) =>
    probes.has("utilization")
      ? [suggestion("utilization", { preset: "compound_v3" }, "Monitor the utilisation of the market.")]
      : [],
  wallet: () => [
    suggestion("native_balance", {}, "Monitor the balance of the wallet, which pays for its transactions."),
    suggestion("inactivity", {}, "Monitor the time since the last transaction of the wallet."),
    suggestion("large_transfer", { native: true }, "Monitor large transfers of the native currency."),
  ],
  safe: () => [suggestion("native_balance", {}, "Monitor the native balance of the multisig.")],
};

/** Suggestions by capability, for contracts of any type. */
const byCapability: readonly Suggest[] = [
  ({ resolved: { hops } }) => {
    const [first] = hops;
    const config = first && proxyTargetConfig(first);
    if (!config) return [];
    return [suggestion("proxy_implementation", config, "The contract is upgradeable: monitor upgrades.")];
  },
  ({ probes }) => {
    const isControlled =
      probes.address("owner") || probes.supports("isAccessControl") || probes.addresses("owners").length > 0;
    return isControlled
      ? [
          suggestion(
            "ownership_change",
            {},
            "The contract has privileged accounts: monitor changes of owners and roles.",
          ),
        ]
      : [];
  },
  ({ probes }) =>
    probes.has("paused")
      ? [suggestion("pause_state", {}, "The contract can be paused: monitor its pause state.")]
      : [],
  (facts) =>
    hasEvent(facts, liquidation)
      ? [
          suggestion(
            "event_frequency",
            { event_signature: liquidation },
            "Monitor the number of liquidations.",
          ),
        ]
      : [],
];

const liquidation = "LiquidationCall(address,address,address,uint256,uint256,address,bool)";

/** Returns the recommended targets of a contract whose config the meter accepts. */
export function suggestTargets(
  facts: Facts,
  contract_type: string,
  eids: readonly number[] = [],
): SuggestedTarget[] {
  const found = [
    ...(byType[contract_type]?.(facts) ?? []),
    ...bridgeTargets(facts, contract_type, eids),
    ...byCapability.flatMap((suggest) => suggest(facts)),
    suggestion("tx_rate", {}, "Monitor the number of transactions."),
    suggestion("revert_rate", {}, "Monitor the share of failed transactions."),
  ];
  return found.filter(isAccepted);
}

/** Requires known routes and a known receive library on the chain. */
function bridgeTargets({ chain }: Facts, contract_type: string, eids: readonly number[]): SuggestedTarget[] {
  if (contract_type !== "bridge_oapp" || eids.length === 0 || !layerZeroChainOf(chain.chain)?.receive_library)
    return [];
  return [
    suggestion("bridge_config", { eids: eids.slice(0, 50) }, "Monitor the verifiers of incoming messages."),
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
