import { isDeepStrictEqual } from "node:util";
import { meterOf } from "../../meters/index.ts";
import { layerZeroChainOf } from "../bridge/layerzero-chains.ts";
import type { ProfiledFacts } from "../classify/facts.ts";
import { byCapability } from "./by-capability.ts";
import { byType } from "./by-type.ts";
import { type SuggestedTarget, suggestion } from "./suggested-target.ts";

/** Below this many transactions in the window, a share of failed ones says little. */
export const minTransactions = 15;

const sentToContract = [
  suggestion("tx_rate", {}, "Monitor the number of transactions."),
  suggestion(
    "revert_rate",
    { min_txs: minTransactions },
    `Monitor the share of failed transactions; with fewer than ${minTransactions} there is no value.`,
  ),
];

const sentByWallet = [
  suggestion("tx_rate", { direction: "any" }, "Monitor the number of transactions to and from the wallet."),
  suggestion(
    "revert_rate",
    { direction: "from" },
    "Monitor the share of the wallet's transactions that fail.",
  ),
];

/** Returns the recommended targets of a contract whose config the meter accepts. */
export function suggestTargets(
  facts: ProfiledFacts,
  contract_type: string,
  eids: readonly number[] = [],
): SuggestedTarget[] {
  const suggestions = [
    ...(byType[contract_type]?.(facts) ?? []),
    ...bridgeTargets(facts, contract_type, eids),
    ...byCapability.flatMap((suggest) => suggest(facts)),
    ...(contract_type === "wallet" ? sentByWallet : sentToContract),
  ];
  return suggestions
    .filter(isAccepted)
    .filter(
      (suggestedTarget, index, all) => all.findIndex((other) => isSame(suggestedTarget, other)) === index,
    );
}

/** Type and capability may suggest the same target. */
function isSame(suggestedTarget: SuggestedTarget, other: SuggestedTarget): boolean {
  if (suggestedTarget.target_type !== other.target_type) return false;
  return (
    meterOf(suggestedTarget.target_type)?.instances === "one" ||
    isDeepStrictEqual(suggestedTarget.config, other.config)
  );
}

/** Requires known routes and a known receive library on the chain. */
function bridgeTargets(
  { chain }: ProfiledFacts,
  contract_type: string,
  eids: readonly number[],
): SuggestedTarget[] {
  if (contract_type !== "bridge_oapp" || eids.length === 0 || !layerZeroChainOf(chain.chain)?.receive_library)
    return [];
  return [
    suggestion("bridge_config", { eids: eids.slice(0, 50) }, "Monitor the verifiers of incoming messages."),
  ];
}

function isAccepted({ target_type, config }: SuggestedTarget): boolean {
  const meter = meterOf(target_type);
  const parsed = meter?.config.safeParse(config);
  return (
    meter !== undefined && parsed?.success === true && meter.configProblem?.(parsed.data, "evm") === undefined
  );
}
