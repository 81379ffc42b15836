import { keccak256, stringToHex } from "viem";
import { z } from "zod";
import { addressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { readRoute, routeReadCount, routeReads } from "./bridge-route.ts";
import { deploymentOn } from "./layerzero.ts";

/** How well the messages are verified that a LayerZero app accepts. */
export const bridgeConfig = defineMeter({
  type: "bridge_config",
  title: "Bridge verifiers",
  about:
    "The fewest verifiers that must agree before the app accepts a message, over its LayerZero V2 routes. A route with an unknown library counts as 0, since nobody can vouch for it. A change of anything about the routes shows with the operator changed.",
  unit: "verifiers",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({
    eids: z
      .array(z.int().min(1).max(4_294_967_295))
      .min(1)
      .max(50)
      .describe("The endpoint ids of the chains that messages come from, such as 30101 for Ethereum"),
    endpoint: addressText
      .optional()
      .describe("LayerZero's endpoint; the one known for the chain unless said"),
    receive_library: addressText
      .optional()
      .describe("The library that verifies messages; the one known for the chain unless said"),
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
          `LayerZero is not known on ${chain.name}: set endpoint and receive_library.`,
        );
      }
      const routes = eids.map((eid, index) => {
        const routeResults = results.slice(index * routeReadCount, (index + 1) * routeReadCount);
        return readRoute(deployment, eid, routeResults);
      });
      const [weakest] = routes.filter(({ is_open }) => is_open).toSorted((a, b) => a.verifiers - b.verifiers);
      if (!weakest) throw new UnreadableState("None of the routes is open; check eids.");
      const state = keccak256(stringToHex(JSON.stringify(routes)));
      // The whole is long and comes with every poll; it is kept when it is news.
      const isNewState = previous?.evidence?.state !== state;
      return { value: weakest.verifiers, evidence: { state, weakest, ...(isNewState && { routes }) } };
    });
  },
});
