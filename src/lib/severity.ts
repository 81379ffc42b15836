/** The severities of an alert, the least severe first. */
export const severities = ["info", "warning", "critical"] as const;

export type Severity = (typeof severities)[number];

/** Compares two severities for sorting: negative when the first is less severe. */
export function compareSeverity(first: Severity, second: Severity): number {
  return severities.indexOf(first) - severities.indexOf(second);
}

/** Returns the most severe of some severities, and `info` for none. */
export function maxSeverity(some: Iterable<Severity>): Severity {
  return [...some].reduce<Severity>(
    (max, severity) => (compareSeverity(severity, max) > 0 ? severity : max),
    "info",
  );
}
