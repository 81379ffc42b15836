/** Time ranges that filters offer. */
export const ranges = { "1h": 3_600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 } as const;
export type Range = keyof typeof ranges;

export const rangeLabels: Record<Range, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** The start of a range that ends at a moment. */
export function startOf(range: Range, to: string): string {
  return new Date(Date.parse(to) - ranges[range] * 1_000).toISOString();
}
