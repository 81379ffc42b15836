import type { Facts } from "../classify/facts.ts";
import type { Probe } from "../classify/probes.ts";

/** A contract that another contract depends on. */
export type Dependency = { kind: string; address: string };

const dependencyProbes: readonly [Probe, string][] = [
  ["aggregator", "price_aggregator"],
  ["oracle", "oracle"],
  ["endpoint", "message_endpoint"],
  ["innerToken", "token"],
  ["asset", "token"],
  ["baseToken", "token"],
  ["token0", "token"],
  ["token1", "token"],
  ["coin0", "token"],
  ["coin1", "token"],
  ["comptroller", "comptroller"],
  ["addressesProvider", "addresses_provider"],
];

/** Returns the contracts that a contract refers to, and its implementations and beacons. */
export function dependenciesOf({ address, probes, resolved }: Facts): Dependency[] {
  const dependencies = [
    ...resolved.hops.flatMap(({ implementations, beacon }) => [
      ...implementations.map((implementation) => ({ kind: "implementation", address: implementation })),
      ...(beacon ? [{ kind: "beacon", address: beacon }] : []),
    ]),
    ...dependencyProbes.flatMap(([probe, kind]) => {
      const dependencyProbes = probes.address(probe);
      return dependencyProbes && dependencyProbes !== address ? [{ kind, address: dependencyProbes }] : [];
    }),
  ];
  return [
    ...new Map(
      dependencies.map((dependency) => [`${dependency.kind} ${dependency.address}`, dependency]),
    ).values(),
  ];
}
