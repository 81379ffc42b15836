import { settingEvents } from "../../meters/control/configuration-change.ts";
import { flaggedPauses } from "../../meters/state/pause-state.ts";
import { hasEvent } from "../classify/facts.ts";
import { proxyTargetConfig } from "../proxy-target.ts";
import { type Suggest, suggestion } from "./suggested-target.ts";

/** The events of liquidations, with the protocol family whose markets emit them. */
export const liquidationEvents = [
  ["LiquidationCall(address,address,address,uint256,uint256,address,bool)", "Aave"],
  ["LiquidateBorrow(address,address,uint256,address,uint256)", "Compound V2"],
  ["AbsorbDebt(address,address,uint256,uint256)", "Compound V3"],
] as const;

const upgrades: Suggest = ({ resolved: { hops } }) => {
  const [first] = hops;
  const config = first && proxyTargetConfig(first);
  if (!config) return [];
  const reason =
    config.kind === "eip7702"
      ? "The wallet runs the code of a contract (EIP-7702): monitor changes of that delegation."
      : "The contract is upgradeable: monitor upgrades.";
  return [suggestion("proxy_implementation", config, reason)];
};

const control: Suggest = (facts) => {
  const { probes } = facts;
  const isControlled =
    probes.address("owner") ||
    probes.supports("isAccessControl") ||
    probes.addresses("owners").length > 0 ||
    hasEvent(facts, "OwnershipTransferred(address,address)") ||
    hasEvent(facts, "RoleGranted(bytes32,address,address)") ||
    hasEvent(facts, "NewAdmin(address)");
  if (!isControlled) return [];
  const reason = "The contract has privileged accounts: monitor changes of owners and roles.";
  return [suggestion("ownership_change", {}, reason)];
};

const pauses: Suggest = (facts) => {
  const reason = "The contract can be paused: monitor its pause state.";
  if (facts.probes.has("paused")) return [suggestion("pause_state", {}, reason)];
  if (facts.probes.has("supplyPaused"))
    return [suggestion("pause_state", { function: "isSupplyPaused()" }, reason)];
  const hasEvents = ["Paused(address)", ...flaggedPauses].some((event) => hasEvent(facts, event));
  return hasEvents ? [suggestion("pause_state", { events_only: true }, reason)] : [];
};

const settings: Suggest = (facts) =>
  settingEvents.some((event) => hasEvent(facts, event))
    ? [
        suggestion(
          "configuration_change",
          {},
          "The contract has critical settings, such as validators, peers, minters or price oracles: monitor their changes.",
        ),
      ]
    : [];

/** Vaults have their own function for it. */
const rates: Suggest = ({ profile: { rate, vault } }) =>
  rate && !vault
    ? [
        suggestion(
          "view_function",
          { signature: rate, decimals: 18 },
          "The contract issues shares or a token that grows in value: a jump or fall of the rate is an attack or a loss.",
        ),
      ]
    : [];

const liquidations: Suggest = (facts) =>
  liquidationEvents
    .filter(([event_signature]) => hasEvent(facts, event_signature))
    .map(([event_signature, family]) =>
      suggestion(
        "event_frequency",
        { event_signature },
        `The contract liquidates loans like ${family} markets: monitor the number of liquidations.`,
      ),
    );

/** A drop of one asset shows a drain without any price. */
const assets: Suggest = ({ profile }) =>
  profile.assets.map(({ token, symbol, holder }) =>
    suggestion(
      "token_balance",
      { token, ...(holder && { holder }) },
      `It holds ${symbol ?? token}: a sudden drop of the balance is a drain.`,
    ),
  );

const nativeBalance: Suggest = ({ profile }) =>
  profile.holds_native
    ? [suggestion("native_balance", {}, "It holds native currency: a sudden drop of the balance is a drain.")]
    : [];

/** Suggestions by capability, for contracts of any type. */
export const byCapability: readonly Suggest[] = [
  upgrades,
  control,
  settings,
  pauses,
  rates,
  liquidations,
  assets,
  nativeBalance,
];
