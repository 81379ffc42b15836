import { settingEvents } from "../../meters/control/setting-events.ts";
import { hasEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

/** Source: incidents in which an attacker first added a peer, a validator, a minter or a price source. */
export const govSettingChanged = defineTemplate({
  id: "gov_setting_changed",
  category: "governance",
  alsoIn: ["lending", "dex", "bridge", "oracle", "token", "vault", "proxy", "other"],
  name: "Critical setting changed",
  description:
    "Alerts on each change of peers, validators, signers, minters, price oracles, collateral factors, fees, rules of governance and of what the contract names like them, by its events and by what its functions return. An account that is added there can release or mint assets.",
  target_type: "configuration_change",
  target_config: {},
  condition: eachEvent,
  severity: "critical",
  for_seconds: 0,
  variantsFor({ profile }) {
    const { events = [], functions = [] } = profile?.settings ?? {};
    if (events.length + functions.length === 0) return undefined;
    const config = { ...(events.length > 0 && { events }), ...(functions.length > 0 && { functions }) };
    return [{ config, condition: eachEvent }];
  },
  check(facts, target) {
    if (facts.profile?.settings) return undefined;
    const isKnown = facts.events || facts.profile;
    if (target || !isKnown || settingEvents.some((event) => hasEvent(facts, event))) return undefined;
    return "The contract has no known event or function of a critical setting.";
  },
  isRecommended: whereverItApplies,
});
