import { getAddress } from "viem";
import type { App } from "../../app.ts";
import type { ChainClient } from "../../chains/chain-client.ts";
import { chainOf } from "../../chains/index.ts";
import { ChainError } from "../../chains/reader.ts";
import { type BridgeApp, readBridgeApp } from "../../inspection/bridge/bridge-app.ts";
import {
  type ReceivedRoute,
  type RouteSide,
  readReceiving,
  unknownRoute,
} from "../../inspection/bridge/bridge-receiving.ts";
import { readSending } from "../../inspection/bridge/bridge-sending.ts";
import { chainOfEid } from "../../inspection/bridge/layerzero-chains.ts";
import type { ContractRow } from "../../store/contracts/contracts.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { BridgeConfig, BridgeRoute } from "../../wire/inspection/bridge-config.ts";
import type { OrgCaller } from "../caller.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import { findContractOnChain } from "../contracts/contract-on-chain.ts";
import { withChainClient } from "./chain-access.ts";

const keptMs = 30_000;
/** An app with more peers than that has the others left out. */
const maxPeers = 60;

/** The LayerZero routes of a contract, both ways; none where it is no such app or the org does not have the feature. */
export async function getBridgeConfig(
  app: App,
  caller: OrgCaller,
  contract_id: string,
): Promise<BridgeConfig> {
  const { row, chain } = await findContractOnChain(app, caller, contract_id);
  const org = await findOrg(app.db, caller.org_id);
  if (!org?.feature_flags.bridge_detection || chain.kind !== "evm") return noBridge(row, null);
  return app.lookups.get(
    `bridge-config ${contract_id}`,
    () => keptMs,
    () => withChainClient(app, chain, (client) => readConfig(app, client, row)),
  );
}

async function readConfig(app: App, client: ChainClient, row: ContractRow): Promise<BridgeConfig> {
  const moment = await client.pinLatestBlock();
  const bridge = await readBridgeApp(client, moment, row.address);
  if (!bridge) return noBridge(row, moment.block.height);
  const eids = [...bridge.peers.keys()].toSorted((a, b) => a - b).slice(0, maxPeers);
  const [received, sent] = await Promise.all([
    readReceiving(moment, bridge, eids),
    readSending(moment, bridge, eids),
  ]);
  const inbound = eids.map((eid) => toRoute(bridge, eid, "inbound", null, received.get(eid)));
  const outbound = await Promise.all(
    eids.map(async (eid) =>
      toRoute(bridge, eid, "outbound", sent.get(eid) ?? null, await readFarSide(app, bridge, eid)),
    ),
  );
  const { endpoint, eid } = bridge;
  const routes = [...inbound, ...outbound];
  return { chain: row.chain, address: row.address, block_number: moment.block.height, endpoint, eid, routes };
}

function noBridge({ chain, address }: ContractRow, block_number: number | null): BridgeConfig {
  return { chain, address, block_number, endpoint: null, eid: null, routes: [] };
}

/** What is accepted at the other end is decided there; it can be told where that chain runs here too. */
async function readFarSide(app: App, bridge: BridgeApp, eid: number): Promise<ReceivedRoute> {
  const key = chainOfEid(eid);
  const chain = key === undefined ? undefined : (await makeChainFinder(app))(key);
  const peer = addressOfPeer(bridge.peers.get(eid) ?? "");
  if (chain?.kind !== "evm" || !peer) {
    const name = (key && chainOf(key)?.name) ?? key ?? `chain ${eid}`;
    return unknownRoute(`What is accepted on ${name} is decided there, and it is not read here.`);
  }
  try {
    const client = app.chains.clientFor(chain);
    const moment = await client.pinLatestBlock();
    const far = await readBridgeApp(client, moment, peer);
    const route = far && (await readReceiving(moment, far, [bridge.eid])).get(bridge.eid);
    return route ?? unknownRoute(`The app on ${chain.name} does not answer as one.`);
  } catch (error) {
    if (error instanceof ChainError) return unknownRoute(`${chain.name} could not be read.`);
    throw error;
  }
}

/** An EVM peer is an address with zeros before it; others are keys of another kind. */
function addressOfPeer(peer: string): string | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(peer) ?? [];
  return address ? getAddress(`0x${address}`) : undefined;
}

function toRoute(
  bridge: BridgeApp,
  eid: number,
  direction: BridgeRoute["direction"],
  sent: RouteSide | null,
  received: ReceivedRoute = unknownRoute("The route could not be read."),
): BridgeRoute {
  const isInbound = direction === "inbound";
  const { library, ...side } = received;
  const isUnseen = received.risk_level === "unknown" && sent !== null;
  const paid = sent && {
    confirmations: sent.confirmations,
    required_dvns: sent.required_dvns,
    optional_dvns: sent.optional_dvns,
    optional_threshold: sent.optional_threshold,
  };
  const [here, there] = [bridge.chain.chain, chainOfEid(eid) ?? null];
  return {
    direction,
    src_eid: isInbound ? eid : bridge.eid,
    dst_eid: isInbound ? bridge.eid : eid,
    src_chain: isInbound ? there : here,
    dst_chain: isInbound ? here : there,
    peer: bridge.peers.get(eid) ?? "",
    send_library: sent?.library ?? null,
    receive_library: library,
    ...side,
    // Where the other end cannot be seen, whom the app pays is at least what it hopes for.
    ...(isUnseen && paid),
  };
}
