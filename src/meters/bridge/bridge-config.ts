import { z } from "zod";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { addressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { numberText } from "../words.ts";
import { type Route, readRoute, routeReadCount, routeReads } from "./bridge-route.ts";
import { deploymentOn } from "./layerzero.ts";
import { digestsOf, type RouteChange, routeChanges, routeChangeText } from "./route-change.ts";

/** Measures how many verifiers (DVNs) protect the incoming routes of a LayerZero app. */
export const bridgeConfig = defineMeter({
  type: "bridge_config",
  title: "Bridge verifiers",
  example: { eids: [30101, 30110] },
  about:
    "The minimum number of verifiers (DVNs) that must attest a message before the app accepts it, over all open LayerZero V2 routes. A route with an unknown receive library counts as 0, because its verification cannot be assessed. The operator changed detects any change of the route configuration.",
  unit: "verifiers",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    eids: z
      .array(z.int().min(1).max(4_294_967_295))
      .min(1)
      .max(50)
      .describe("The LayerZero endpoint ids of the source chains, such as 30101 for Ethereum"),
    endpoint: addressText
      .optional()
      .describe("The LayerZero endpoint; defaults to the known endpoint of the chain"),
    receive_library: addressText
      .optional()
      .describe("The receive library that verifies messages; defaults to the known library of the chain"),
  }),
  needs: ["state"],
  aggregation: "last",

  reads({ eids, ...overrides }, { chain, address }) {
    const deployment = deploymentOn(chain.chain, overrides);
    return deployment ? eids.flatMap((eid) => routeReads(deployment, address, eid)) : [];
  },

  interpret({ eids, ...overrides }, results, { chain }, { previous }) {
    return readingOrProblem(() => {
      const deployment = deploymentOn(chain.chain, overrides);
      if (!deployment) {
        throw new UnreadableState(
          `The LayerZero deployment on ${chain.name} is not known; set endpoint and receive_library.`,
        );
      }
      const routes = eids.map((eid, index) => {
        const routeResults = results.slice(index * routeReadCount, (index + 1) * routeReadCount);
        return readRoute(deployment, eid, routeResults);
      });
      const [weakest] = routes.filter(({ is_open }) => is_open).toSorted((a, b) => a.verifiers - b.verifiers);
      if (!weakest) throw new UnreadableState("None of the configured routes is open; check eids.");
      const state = keccakOfText(JSON.stringify(routes));
      // The routes are long and read with every poll, so they are stored only when they changed.
      const isNewState = previous?.evidence?.state !== state;
      const changes = isNewState ? routeChanges(routes, previous) : [];
      const evidence = {
        state,
        weakest,
        digests: digestsOf(routes),
        ...(isNewState && { routes }),
        ...(changes.length > 0 && { changes }),
      };
      return { value: weakest.verifiers, evidence };
    });
  },

  describe(_config, { reading, value, words }) {
    const { weakest, changes = [] } = (reading?.evidence ?? {}) as {
      weakest?: Route;
      changes?: RouteChange[];
    };
    const [first, ...others] = changes;
    const isThisRoute = others.length === 0 && first?.after.eid === weakest?.eid;
    const route = weakest?.eid === undefined ? "the weakest route" : `the route from endpoint ${weakest.eid}`;
    const needed = `needs ${numberText(value)} ${value === 1 ? "verifier" : "verifiers"}`;
    if (!first) return `${route} ${needed}`;
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return `${routeChangeText(first, words)}${more}; ${isThisRoute ? "now" : route} ${needed}`;
  },
});
