import type { ReadResult } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressIn, integerIn, returnedValue } from "../classify/call-results.ts";
import { inspectController } from "../control/controller.ts";
import { knownEids, layerZeroChainOf } from "./layerzero-chains.ts";
import { findPeerEids } from "./peer-eids.ts";

const endpointFunction = "endpoint() view returns (address)";
const eidFunction = "eid() view returns (uint32)";
const delegates = "delegates(address) view returns (address)";
const ownerFunction = "owner() view returns (address)";
const peersFunction = "peers(uint32 eid) view returns (bytes32 peer)";

/** A LayerZero app with its endpoint, peers and controllers. */
export type BridgeApp = {
  address: string;
  chain: Chain;
  endpoint: string;
  eid: number;
  peers: Map<number, string>;
  is_changed_by_eoa: boolean;
};

/** Reads the app at an address; undefined if it is not an app, or if its endpoint is not the LayerZero endpoint. */
export async function readBridgeApp(
  client: ChainClient,
  pinned: PinnedBlock,
  address: string,
): Promise<BridgeApp | undefined> {
  const { chain } = client;
  const deployment = layerZeroChainOf(chain.chain);
  const [endpointResult, ownerResult, ...peerResults] = await pinned.read([
    readCall(address, endpointFunction),
    readCall(address, ownerFunction),
    ...knownEids.map((eid) => readCall(address, peersFunction, [eid])),
  ]);
  const endpoint = addressIn(endpointResult, endpointFunction);
  if (!endpoint || (deployment && deployment.endpoint !== endpoint)) return undefined;
  const peers = peersIn(knownEids, peerResults);
  if (!peerResults.some((result) => result.ok && result.data.length === 66)) return undefined;
  const others = (await findPeerEids(client, address, pinned.block.height)).filter(
    (eid) => !knownEids.includes(eid),
  );
  const otherResults = await pinned.read(others.map((eid) => readCall(address, peersFunction, [eid])));
  for (const [eid, peer] of peersIn(others, otherResults)) peers.set(eid, peer);
  const [eidResult, delegateResult] = await pinned.read([
    readCall(endpoint, eidFunction),
    readCall(endpoint, delegates, [address]),
  ]);
  const eid = deployment?.eid ?? Number(integerIn(eidResult, eidFunction) ?? 0n);
  const controllers = [addressIn(ownerResult, ownerFunction), addressIn(delegateResult, delegates)];
  return { address, chain, endpoint, eid, peers, is_changed_by_eoa: await isAnyEoa(pinned, controllers) };
}

function peersIn(eids: readonly number[], results: readonly ReadResult[]): Map<number, string> {
  const peers = eids.flatMap((eid, index) => {
    const peer = returnedValue(results[index], peersFunction);
    return typeof peer === "string" && BigInt(peer) !== 0n ? [[eid, peer] as const] : [];
  });
  return new Map(peers);
}

async function isAnyEoa(pinned: PinnedBlock, addresses: (string | undefined)[]): Promise<boolean> {
  const distinct = [...new Set(addresses.flatMap((address) => address ?? []))];
  const controllers = await Promise.all(distinct.map((address) => inspectController(pinned, address)));
  return controllers.some(({ kind }) => kind === "eoa");
}
