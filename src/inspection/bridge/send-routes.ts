import type { ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { readRoute, routeReadCount, routeReads } from "../../meters/bridge/bridge-route.ts";
import { readCall, UnreadableState } from "../../meters/state-results.ts";
import { addressIn } from "../classify/call-results.ts";
import type { BridgeApp } from "./bridge-app.ts";
import type { RouteSide } from "./receive-routes.ts";

const sendLibrary = "getSendLibrary(address sender, uint32 dstEid) view returns (address)";

/** Returns the send library and verifiers of each outgoing route. */
export async function readSendRoutes(
  pinned: PinnedBlock,
  { endpoint, address }: BridgeApp,
  eids: readonly number[],
): Promise<Map<number, RouteSide>> {
  const results = await pinned.read(eids.map((eid) => readCall(endpoint, sendLibrary, [address, eid])));
  const libraries = eids.map((_, index) => addressIn(results[index], sendLibrary));
  const configured = eids.flatMap((eid, index) =>
    libraries[index] ? [{ eid, library: libraries[index] }] : [],
  );
  const configs = await pinned.read(
    configured.flatMap(({ eid, library }) =>
      routeReads({ endpoint, receive_library: library }, address, eid).slice(routeReadCount - 1),
    ),
  );
  return new Map(
    configured.map(({ eid, library }, index) => [
      eid,
      { library, ...readSendConfig(eid, library, configs[index]) },
    ]),
  );
}

/** Decodes the config like that of the receiving side, with placeholders for the other results. */
function readSendConfig(
  eid: number,
  library: string,
  config: ReadResult | undefined,
): Omit<RouteSide, "library"> {
  const emptyConfig = { confirmations: null, required_dvns: [], optional_dvns: [], optional_threshold: 0 };
  const lib: ReadResult = {
    ok: true,
    data: `0x${library.slice(2).toLowerCase().padStart(64, "0")}${"0".repeat(64)}`,
  };
  try {
    const route = readRoute({ endpoint: library, receive_library: library }, eid, [
      { ok: false, code: "unavailable", problem: "" },
      lib,
      config ?? { ok: false, code: "unavailable", problem: "" },
    ]);
    const { confirmations, required_dvns, optional_dvns, optional_threshold } = route;
    return { confirmations, required_dvns, optional_dvns, optional_threshold };
  } catch (error) {
    if (error instanceof UnreadableState) return emptyConfig;
    throw error;
  }
}
