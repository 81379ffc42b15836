import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

/** Source: incidents that began with a function that nobody had used before, under a name that no list has. */
export const govRareEvent = defineTemplate({
  id: "gov_rare_event",
  category: "governance",
  alsoIn: ["lending", "dex", "bridge", "oracle", "token", "vault", "proxy", "safe", "other"],
  name: "Event that the contract hardly ever emits",
  description:
    "Alerts on events that the contract did not emit when it was inspected, whatever their names. The cause may be a function for administrators that an attacker uses. The same event alerts again only after a week without it.",
  target_type: "rare_event",
  target_config: null,
  condition: eachEvent,
  severity: "warning",
  for_seconds: 0,
  variantsFor({ profile }) {
    const { events = [], topics = [] } = profile?.rare ?? {};
    const config = { ...(events.length > 0 && { events }), ...(topics.length > 0 && { topics }) };
    const source = `The contract can emit ${events.length + topics.length} events that its past does not have.`;
    return [{ config, condition: eachEvent, source }];
  },
  check({ profile }, target) {
    if (target) return undefined;
    if (!profile)
      return "The events of the contract are not known yet. Apply the template again when the contract was inspected.";
    const { events = [], topics = [] } = profile.rare ?? {};
    if (events.length + topics.length > 0) return undefined;
    return profile.rare
      ? "The contract has emitted all events that it can emit."
      : "The past of the contract does not show which events are rare: it has too few, or brings new ones all the time, or its node provides too little of it.";
  },
  isRecommended: whereverItApplies,
});
