/** The keys of cached server data. The organisation comes first, so that data of two organisations never mix. */
export const keys = (org: string) => ({
  all: ["org", org],
  stats: ["org", org, "stats"],
  chains: ["org", org, "chains"],
  contracts: ["org", org, "contracts"],
  contract: (id: string) => ["org", org, "contracts", id],
  contractPart: (id: string, part: string) => ["org", org, "contracts", id, part],
  rules: ["org", org, "rules"],
  rule: (id: string) => ["org", org, "rules", id],
  events: ["org", org, "events"],
  eventList: (filter: object) => ["org", org, "events", "list", filter],
  event: (id: string) => ["org", org, "events", "one", id],
  deliveries: ["org", org, "deliveries"],
  deliveryList: (filter: object) => ["org", org, "deliveries", filter],
  channels: ["org", org, "channels"],
  demo: ["org", org, "demo"],
  demoIncidents: (block: number) => ["org", org, "demo", "incidents", block],
  inbox: ["org", org, "inbox"],
  policies: ["org", org, "policies"],
  silences: ["org", org, "silences"],
  series: (target: string, query: object) => ["org", org, "series", target, query],
  members: ["org", org, "members"],
  audit: ["org", org, "audit"],
});

/** Keys of data that does not depend on an organisation. */
export const sharedKeys = {
  me: ["me"],
  orgs: ["orgs"],
  targetTypes: ["target-types"],
  channelTypes: ["channel-types"],
};
