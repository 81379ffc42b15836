import type { ChainClient } from "../../chains/chain-client.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { ChainError } from "../../chains/reader.ts";

const peerSet = keccakOfText("PeerSet(uint32,bytes32)");

/** Returns the endpoint ids in the newest PeerSet logs of an app; none if the endpoint provides no logs. */
export async function findPeerEids(client: ChainClient, address: string, height: number): Promise<number[]> {
  try {
    const filter = { addresses: [address], topics: [peerSet], from: 0, to: height, maxRequests: 3 };
    const { logs } = await client.logs(filter);
    const eids = logs.flatMap(({ data }) => (data.length >= 66 ? [Number(BigInt(data.slice(0, 66)))] : []));
    return [...new Set(eids)].filter((eid) => eid > 0 && eid < 2 ** 32).slice(0, 50);
  } catch (error) {
    if (error instanceof ChainError) return [];
    throw error;
  }
}
