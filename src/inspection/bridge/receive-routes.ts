import type { Read, ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { readRoute, routeReadCount, routeReads } from "../../meters/bridge/bridge-route.ts";
import { readCall, UnreadableState } from "../../meters/state-results.ts";
import { returnedValue } from "../classify/call-results.ts";
import type { BridgeApp } from "./bridge-app.ts";
import { type ReceiveSide, type RiskLevel, scoreRoute } from "./bridge-risk.ts";
import { layerZeroChainOf } from "./layerzero-chains.ts";

const receiveLibrary =
  "getReceiveLibrary(address receiver, uint32 srcEid) view returns (address lib, bool isDefault)";
const libraryTimeout =
  "receiveLibraryTimeout(address receiver, uint32 srcEid) view returns (address lib, uint256 expiry)";
const appConfig =
  "getAppUlnConfig(address oapp, uint32 eid) view returns ((uint64 confirmations, uint8 requiredCount, uint8 optionalCount, uint8 optionalThreshold, address[] required, address[] optional) config)";

/** The configuration of one side of a route. */
export type RouteSide = {
  library: string | null;
  confirmations: string | null;
  required_dvns: string[];
  optional_dvns: string[];
  optional_threshold: number;
};

export type ReceiveRoute = RouteSide & {
  is_default_config: boolean | null;
  risk_level: RiskLevel;
  risk_reasons: string[];
};

/** Returns the incoming routes of the app with their risk. The risk of an unreadable route is `unknown`. */
export async function readReceiveRoutes(
  pinned: PinnedBlock,
  app: BridgeApp,
  eids: readonly number[],
): Promise<Map<number, ReceiveRoute>> {
  const { endpoint, address } = app;
  const libraryReads = eids.flatMap((eid): Read[] => [
    readCall(endpoint, receiveLibrary, [address, eid]),
    readCall(endpoint, libraryTimeout, [address, eid]),
  ]);
  const libraryResults = await pinned.read(libraryReads);
  const lookups = eids.map((eid, index) => ({
    eid,
    library: addressOfLibrary(libraryResults[2 * index]),
    problem: problemOf(libraryResults[2 * index]),
    libraryTimeoutResult: libraryResults[2 * index + 1],
  }));
  const configReads = lookups.flatMap(({ eid, library }) =>
    library
      ? [
          ...routeReads({ endpoint, receive_library: library }, address, eid),
          readCall(library, appConfig, [address, eid]),
        ]
      : [],
  );
  const configResults = await pinned.read(configReads);
  let offset = 0;
  return new Map(
    lookups.map(({ eid, library, problem, libraryTimeoutResult }) => {
      const routeResults = library ? configResults.slice(offset, offset + routeReadCount + 1) : [];
      offset += routeResults.length;
      return [
        eid,
        toReceiveRoute(app, pinned, { eid, library, problem, libraryTimeoutResult }, routeResults),
      ];
    }),
  );
}

type LibraryLookup = {
  eid: number;
  library: string | undefined;
  problem: string;
  libraryTimeoutResult: ReadResult | undefined;
};

function toReceiveRoute(
  app: BridgeApp,
  pinned: PinnedBlock,
  lookup: LibraryLookup,
  results: readonly ReadResult[],
): ReceiveRoute {
  const { library, problem } = lookup;
  if (!library)
    return isUnsetError(problem) ? inactiveRoute() : unknownRoute("The receive library could not be read.");
  try {
    return assessRoute(app, pinned, { ...lookup, library }, results);
  } catch (error) {
    if (!(error instanceof UnreadableState)) throw error;
    return isUnsetError(problemOf(results[routeReadCount - 1]))
      ? inactiveRoute()
      : unknownRoute(error.message);
  }
}

/** Decodes and scores a route. Throws UnreadableState. */
function assessRoute(
  app: BridgeApp,
  pinned: PinnedBlock,
  { eid, library, libraryTimeoutResult }: LibraryLookup & { library: string },
  results: readonly ReadResult[],
): ReceiveRoute {
  const {
    is_open,
    verifiers: _,
    library: __,
    ...config
  } = readRoute({ endpoint: app.endpoint, receive_library: library }, eid, results);
  const is_default_config = usesDefaultConfig(results[routeReadCount]);
  if (is_default_config === null || isReadFailure(libraryTimeoutResult))
    return unknownRoute(
      "The verifier configuration or the grace period of the previous library could not be read.",
    );
  const receiveLibrary = layerZeroChainOf(app.chain.chain)?.receive_library;
  const side: ReceiveSide = {
    ...config,
    chain: app.chain.chain,
    is_open,
    is_known_library: receiveLibrary === undefined || receiveLibrary === library,
    has_grace_period: expiryIn(libraryTimeoutResult) > BigInt(pinned.block.height),
    is_default_config,
    is_changed_by_eoa: app.is_changed_by_eoa,
  };
  const { confirmations, required_dvns, optional_dvns, optional_threshold } = config;
  const shown = { library, confirmations, required_dvns, optional_dvns, optional_threshold };
  return { ...shown, is_default_config, ...scoreRoute(side) };
}

const emptyRoute = {
  library: null,
  confirmations: null,
  required_dvns: [],
  optional_dvns: [],
  optional_threshold: 0,
  is_default_config: null,
};

export function unknownRoute(reason: string): ReceiveRoute {
  return { ...emptyRoute, risk_level: "unknown", risk_reasons: [reason] };
}

function inactiveRoute(): ReceiveRoute {
  return {
    ...emptyRoute,
    risk_level: "inactive",
    risk_reasons: ["No receive library or verifier is set, so no message is accepted."],
  };
}

/** Matches LZ_DefaultReceiveLibUnavailable and LZ_ULN_AtLeastOneDVN: the route has no library or no verifier. */
function isUnsetError(problem: string): boolean {
  return /0x78e84d06|0xce2c3751/.test(problem);
}

function problemOf(result: ReadResult | undefined): string {
  return result && !result.ok ? result.problem : "";
}

function addressOfLibrary(result: ReadResult | undefined): string | undefined {
  const library = returnedValue(result, receiveLibrary);
  return typeof library === "string" && BigInt(library) !== 0n ? library : undefined;
}

/** Returns the block until which the previous library is accepted. */
function expiryIn(result: ReadResult | undefined): bigint {
  return result?.ok && result.data.length >= 130 ? BigInt(`0x${result.data.slice(66, 130)}`) : 0n;
}

/** An endpoint contract without the function reverts; any other failure is a failed read. */
function isReadFailure(result: ReadResult | undefined): boolean {
  return !result || (!result.ok && result.code !== "reverted");
}

/** An app without required verifiers uses the LayerZero defaults. Null if the config could not be read. */
function usesDefaultConfig(result: ReadResult | undefined): boolean | null {
  const config = returnedValue(result, appConfig);
  if (typeof config !== "object" || Array.isArray(config)) return null;
  return config.requiredCount === 0n;
}
