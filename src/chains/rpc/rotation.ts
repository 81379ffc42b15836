import type { Endpoint } from "./endpoint.ts";

/** Whom to ask next: one not tried yet and not resting, then the one with the fewest faults, then the operator's order. */
export function chooseEndpoint(
  endpoints: readonly Endpoint[],
  attempts: Map<Endpoint, number>,
  prefer: number | undefined,
): Endpoint | undefined {
  const rank = (endpoint: Endpoint) => {
    const waitMs = endpoint.readyInMs();
    const isPreferred = endpoint.index === prefer && waitMs === 0;
    return [
      waitMs,
      attempts.get(endpoint) ?? 0,
      isPreferred ? -1 : Math.floor(endpoint.health.score()),
      endpoint.index,
    ];
  };
  const ranked = endpoints.map((endpoint) => ({ endpoint, rank: rank(endpoint) }));
  return ranked.toSorted((a, b) => compare(a.rank, b.rank))[0]?.endpoint;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Hosts and faults only: paths and queries of RPC URLs hold keys. */
export function describeFailures(endpoints: readonly Endpoint[], failures: Map<string, string>): string {
  if (endpoints.length === 0) return "There is no endpoint to read this chain from.";
  if (failures.size === 0) return "Every endpoint of this chain is resting after a failure.";
  const list = [...failures].map(([host, failure]) => `${host} ${failure}`);
  return `The chain could not be read: ${list.join("; ")}.`;
}
