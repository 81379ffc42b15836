import { ownershipDeclarations } from "../../meters/control/ownership-events.ts";
import { settingEvents } from "../../meters/control/setting-events.ts";
import { pauseDeclarations, pauseFunctions } from "../../meters/state/pause-events.ts";
import { hasEvent, hasFunction } from "../classify/facts.ts";
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
    ownershipDeclarations.some((event) => hasEvent(facts, event));
  if (!isControlled) return [];
  const reason = "The contract has privileged accounts: monitor changes of owners and roles.";
  return [suggestion("ownership_change", {}, reason)];
};

const pauses: Suggest = (facts) => {
  const reason = "The contract can be paused: monitor its pause state.";
  if (facts.probes.has("paused")) return [suggestion("pause_state", {}, reason)];
  const pauseFunction = pauseFunctions.find((pauseFunction) => hasFunction(facts, pauseFunction));
  if (pauseFunction && pauseFunction !== "paused()")
    return [suggestion("pause_state", { function: pauseFunction }, reason)];
  const hasEvents = pauseDeclarations.some((event) => hasEvent(facts, event));
  return hasEvents ? [suggestion("pause_state", { events_only: true }, reason)] : [];
};

const settings: Suggest = (facts) => {
  const settings = facts.profile.settings;
  if (!settings && !settingEvents.some((event) => hasEvent(facts, event))) return [];
  const { events = [], functions = [] } = settings ?? {};
  const named = [...events, ...functions].slice(0, 4).map((text) => text.slice(0, text.indexOf("(")));
  const shown = named.length > 0 ? named.join(", ") : "validators, peers, minters or price oracles";
  return [
    suggestion(
      "configuration_change",
      { ...(events.length > 0 && { events }), ...(functions.length > 0 && { functions }) },
      `The contract has critical settings, such as ${shown}: monitor their changes.`,
    ),
  ];
};

/** What a contract never did in ordinary operation is worth a look, whatever its name. */
const rareEvents: Suggest = ({ profile: { rare } }) => {
  const { events = [], topics = [] } = rare ?? {};
  if (events.length + topics.length === 0) return [];
  return [
    suggestion(
      "rare_event",
      { ...(events.length > 0 && { events }), ...(topics.length > 0 && { topics }) },
      "The contract can emit events that it did not emit in its recent past: the first ones may show that something unusual happens.",
    ),
  ];
};

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

const liquidations: Suggest = (facts) => [
  ...liquidationEvents
    .filter(([event_signature]) => hasEvent(facts, event_signature))
    .map(([event_signature, family]) =>
      suggestion(
        "event_frequency",
        { event_signature },
        `The contract liquidates loans like ${family} markets: monitor the number of liquidations.`,
      ),
    ),
  ...facts.profile.liquidations.map(({ event: event_signature }) =>
    suggestion(
      "event_frequency",
      { event_signature },
      "The contract has an event of liquidations: monitor their number.",
    ),
  ),
];

/** A drop of one asset shows a drain without any price. */
const assets: Suggest = ({ profile }) =>
  profile.assets.map(({ token, symbol, holder, is_collectible }) =>
    suggestion(
      "token_balance",
      { token, ...(holder && { holder }), ...(is_collectible && { decimals: 0 }) },
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
  rareEvents,
  pauses,
  rates,
  liquidations,
  assets,
  nativeBalance,
];
