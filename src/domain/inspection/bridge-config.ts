import type { App } from "../../app.ts";
import type { ChainClient } from "../../chains/chain-client.ts";
import { getAddress } from "../../chains/evm/values/address.ts";
import { chainOf } from "../../chains/index.ts";
import { ChainError } from "../../chains/reader.ts";
import { type BridgeApp, readBridgeApp } from "../../inspection/bridge/bridge-app.ts";
import { chainOfEid } from "../../inspection/bridge/layerzero-chains.ts";
import {
  type ReceiveRoute,
  type RouteSide,
  readReceiveRoutes,
  unknownRoute,
} from "../../inspection/bridge/receive-routes.ts";
import { readSendRoutes } from "../../inspection/bridge/send-routes.ts";
import type { ContractRow } from "../../store/contracts/contracts.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { BridgeConfig, BridgeRoute } from "../../wire/inspection/bridge-config.ts";
import type { OrgCaller } from "../caller.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import { findContractOnChain } from "../contracts/contract-on-chain.ts";
import { withChainClient } from "./chain-access.ts";

const cacheMs = 30_000;
/** Further peers of an application are omitted. */
const maxPeers = 60;

/** Returns the LayerZero routes of a contract; empty if it is not a LayerZero application or the feature is disabled. */
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
    () => cacheMs,
    () => withChainClient(app, caller.org_id, chain, (client) => readConfig(app, client, row)),
  );
}

async function readConfig(app: App, client: ChainClient, row: ContractRow): Promise<BridgeConfig> {
  const pinned = await client.pinLatestBlock();
  const bridge = await readBridgeApp(client, pinned, row.address);
  if (!bridge) return noBridge(row, pinned.block.height);
  const eids = [...bridge.peers.keys()].toSorted((a, b) => a - b).slice(0, maxPeers);
  const [received, sent] = await Promise.all([
    readReceiveRoutes(pinned, bridge, eids),
    readSendRoutes(pinned, bridge, eids),
  ]);
  const inbound = eids.map((eid) => toRoute(bridge, eid, "inbound", null, received.get(eid)));
  const outbound = await Promise.all(
    eids.map(async (eid) =>
      toRoute(bridge, eid, "outbound", sent.get(eid) ?? null, await readRemoteSide(app, bridge, eid)),
    ),
  );
  const { endpoint, eid } = bridge;
  const routes = [...inbound, ...outbound];
  return { chain: row.chain, address: row.address, block_number: pinned.block.height, endpoint, eid, routes };
}

function noBridge({ chain, address }: ContractRow, block_number: number | null): BridgeConfig {
  return { chain, address, block_number, endpoint: null, eid: null, routes: [] };
}

/** Reads the verification config of the remote side, if its chain is enabled here. */
async function readRemoteSide(app: App, bridge: BridgeApp, eid: number): Promise<ReceiveRoute> {
  const key = chainOfEid(eid);
  const chain = key === undefined ? undefined : (await makeChainFinder(app))(key);
  const peer = addressOfPeer(bridge.peers.get(eid) ?? "");
  if (chain?.kind !== "evm" || !peer) {
    const name = (key && chainOf(key)?.name) ?? key ?? `chain ${eid}`;
    return unknownRoute(`The verification config is on ${name}, which this service does not read.`);
  }
  try {
    const client = app.chains.clientFor(chain);
    const pinned = await client.pinLatestBlock();
    const remote = await readBridgeApp(client, pinned, peer);
    const route = remote && (await readReceiveRoutes(pinned, remote, [bridge.eid])).get(bridge.eid);
    return route ?? unknownRoute(`The contract on ${chain.name} is not a LayerZero application.`);
  } catch (error) {
    if (error instanceof ChainError) return unknownRoute(`${chain.name} could not be read.`);
    throw error;
  }
}

/** Returns the address of an EVM peer, which is padded with zeros; undefined for peers of other chain families. */
function addressOfPeer(peer: string): string | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(peer) ?? [];
  return address ? getAddress(`0x${address}`) : undefined;
}

function toRoute(
  bridge: BridgeApp,
  eid: number,
  direction: BridgeRoute["direction"],
  sent: RouteSide | null,
  received: ReceiveRoute = unknownRoute("The route could not be read."),
): BridgeRoute {
  const isInbound = direction === "inbound";
  const { library, ...side } = received;
  const isUnreadable = received.risk_level === "unknown" && sent !== null;
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
    // If the remote side cannot be read, shows the verifiers that the sending side pays.
    ...(isUnreadable && paid),
  };
}
