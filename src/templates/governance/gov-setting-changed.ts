import { settingEvents } from "../../meters/control/configuration-change.ts";
import { hasEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

/** Source: incidents in which an attacker first added a peer, a validator, a minter or a price source. */
export const govSettingChanged = defineTemplate({
  id: "gov_setting_changed",
  category: "governance",
  alsoIn: ["lending", "dex", "bridge", "oracle", "token", "vault", "proxy", "other"],
  name: "Critical setting changed",
  description:
    "Alerts on each change of peers, validators, signers, minters, price oracles, collateral factors or rules of governance. An account that is added there can release or mint assets.",
  target_type: "configuration_change",
  target_config: {},
  condition: eachEvent,
  severity: "critical",
  for_seconds: 0,
  check(facts, target) {
    const isKnown = facts.events || facts.profile;
    if (target || !isKnown || settingEvents.some((event) => hasEvent(facts, event))) return undefined;
    return "The contract emits no known event of a critical setting.";
  },
  isRecommended: whereverItApplies,
});
