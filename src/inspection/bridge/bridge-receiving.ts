import type { Read, ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { readRoute, routeReadCount, routeReads } from "../../meters/bridge/bridge-route.ts";
import { readCall, Unreadable } from "../../meters/state-results.ts";
import { returnedValue } from "../classify/call-results.ts";
import type { BridgeApp } from "./bridge-app.ts";
import { type ReceiveSide, type RiskLevel, scoreRoute } from "./bridge-risk.ts";
import { knownEndpoints } from "./layerzero-chains.ts";

const receiveLibrary =
  "getReceiveLibrary(address receiver, uint32 srcEid) view returns (address lib, bool isDefault)";
const libraryTimeout =
  "receiveLibraryTimeout(address receiver, uint32 srcEid) view returns (address lib, uint256 expiry)";
const appConfig =
  "getAppUlnConfig(address oapp, uint32 eid) view returns ((uint64 confirmations, uint8 requiredCount, uint8 optionalCount, uint8 optionalThreshold, address[] required, address[] optional) config)";

/** One side of a route, as the chain that it is read on has it. */
export type RouteSide = {
  library: string | null;
  confirmations: string | null;
  required_dvns: string[];
  optional_dvns: string[];
  optional_threshold: number;
};

export type ReceivedRoute = RouteSide & {
  is_default_config: boolean | null;
  risk_level: RiskLevel;
  risk_reasons: string[];
};

/** What the app accepts from each chain, and how safe that is. What cannot be read is `unknown`. */
export async function readReceiving(
  moment: PinnedBlock,
  app: BridgeApp,
  eids: readonly number[],
): Promise<Map<number, ReceivedRoute>> {
  const { endpoint, address } = app;
  const libraryReads = eids.flatMap((eid): Read[] => [
    readCall(endpoint, receiveLibrary, [address, eid]),
    readCall(endpoint, libraryTimeout, [address, eid]),
  ]);
  const libraryResults = await moment.read(libraryReads);
  const places = eids.map((eid, index) => ({
    eid,
    library: addressOfLibrary(libraryResults[2 * index]),
    problem: problemOf(libraryResults[2 * index]),
    grace: libraryResults[2 * index + 1],
  }));
  const configReads = places.flatMap(({ eid, library }) =>
    library
      ? [
          ...routeReads({ endpoint, receive_library: library }, address, eid),
          readCall(library, appConfig, [address, eid]),
        ]
      : [],
  );
  const configResults = await moment.read(configReads);
  let at = 0;
  return new Map(
    places.map(({ eid, library, problem, grace }) => {
      const own = library ? configResults.slice(at, at + routeReadCount + 1) : [];
      at += own.length;
      return [eid, receivedRoute(app, moment, { eid, library, problem, grace }, own)];
    }),
  );
}

type Place = { eid: number; library: string | undefined; problem: string; grace: ReadResult | undefined };

function receivedRoute(
  app: BridgeApp,
  moment: PinnedBlock,
  { eid, library, problem, grace }: Place,
  results: readonly ReadResult[],
): ReceivedRoute {
  if (!library)
    return isClosed(problem)
      ? closed()
      : unknownRoute("The library that verifies messages could not be read.");
  try {
    const {
      is_open,
      verifiers: _,
      library: __,
      ...config
    } = readRoute({ endpoint: app.endpoint, receive_library: library }, eid, results);
    const is_default_config = isInherited(results[routeReadCount]);
    if (is_default_config === null || isNodeAtFault(grace))
      return unknownRoute("Where the verifiers are set could not be read.");
    const known = knownEndpoints(app.chain.chain)?.receive_library;
    const side: ReceiveSide = {
      ...config,
      chain: app.chain.chain,
      is_open,
      is_known_library: known === undefined || known === library,
      has_grace_period: expiryIn(grace) > BigInt(moment.block.height),
      is_default_config,
      is_changed_by_eoa: app.is_changed_by_eoa,
    };
    const { confirmations, required_dvns, optional_dvns, optional_threshold } = config;
    return {
      library,
      confirmations,
      required_dvns,
      optional_dvns,
      optional_threshold,
      is_default_config,
      ...scoreRoute(side),
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return isClosed(problemOf(results[routeReadCount - 1])) ? closed() : unknownRoute(error.message);
  }
}

const nothingRead = {
  library: null,
  confirmations: null,
  required_dvns: [],
  optional_dvns: [],
  optional_threshold: 0,
  is_default_config: null,
};

export function unknownRoute(reason: string): ReceivedRoute {
  return { ...nothingRead, risk_level: "unknown", risk_reasons: [reason] };
}

function closed(): ReceivedRoute {
  return {
    ...nothingRead,
    risk_level: "inactive",
    risk_reasons: ["No library or verifier is set, so that nothing is accepted."],
  };
}

/** The errors by which LayerZero says that a route has no library or no verifier. */
function isClosed(problem: string): boolean {
  return /0x78e84d06|0xce2c3751/.test(problem);
}

function problemOf(result: ReadResult | undefined): string {
  return result && !result.ok ? result.problem : "";
}

function addressOfLibrary(result: ReadResult | undefined): string | undefined {
  const library = returnedValue(result, receiveLibrary);
  return typeof library === "string" && BigInt(library) !== 0n ? library : undefined;
}

/** The block until which an earlier library is still accepted. */
function expiryIn(result: ReadResult | undefined): bigint {
  return result?.ok && result.data.length >= 130 ? BigInt(`0x${result.data.slice(66, 130)}`) : 0n;
}

/** An endpoint without the function reverts; anything else is no answer. */
function isNodeAtFault(result: ReadResult | undefined): boolean {
  return !result || (!result.ok && !result.problem.startsWith("The call reverted"));
}

/** An app that says nothing of required verifiers has LayerZero's; null when that could not be read. */
function isInherited(result: ReadResult | undefined): boolean | null {
  const config = returnedValue(result, appConfig);
  if (typeof config !== "object" || Array.isArray(config)) return null;
  return config.requiredCount === 0n;
}
