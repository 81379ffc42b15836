import type { Endpoint } from "./endpoint/endpoint.ts";
import type { EndpointFailure } from "./failure.ts";

/** Chooses the endpoint that is ready first, then by fewest attempts, lowest penalty and the operator's order. */
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
  const position = a.findIndex((value, index) => value !== b[index]);
  return position === -1 ? 0 : (a[position] ?? 0) - (b[position] ?? 0);
}

/** Names hosts only: paths and queries of RPC URLs contain keys. */
export function describeFailures(
  endpoints: readonly Endpoint[],
  failures: Map<string, EndpointFailure>,
): string {
  if (endpoints.length === 0) return "No RPC endpoint is configured for this chain.";
  if (failures.size === 0) return "Every endpoint of this chain is cooling down after a failure.";
  const list = [...failures].map(([host, { message }]) => `${host} ${message}`);
  return `The chain could not be read: ${list.join("; ")}.`;
}

/** The same for everybody: without hosts, which may contain the name of a private network. */
export function describeWithoutHosts(
  endpoints: readonly Endpoint[],
  failures: Map<string, EndpointFailure>,
): string {
  if (failures.size === 0) return describeFailures(endpoints, failures);
  const messages = new Set([...failures.values()].map(({ message }) => `a node ${message}`));
  return `The chain could not be read: ${[...messages].join("; ")}.`;
}
