/** Machine-readable reasons for the status of a contract. The sentence for people is `status_reason`. */
export const contractStatusCodes = [
  "no_code",
  "chain_disabled",
  "suspended",
  "resumed",
  "unsupported_targets",
] as const;

/** Machine-readable reasons for the status of a target. */
export type TargetStatusCode =
  | "unknown_type"
  | "unsupported_chain"
  | "unsupported_config"
  | "needs_code"
  | "read_failed"
  | "unresolved_names"
  | "unresolved_rule_names";
