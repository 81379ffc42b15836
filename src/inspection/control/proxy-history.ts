import type { Hex } from "../../chains/block.ts";
import type { ChainClient, FoundLog } from "../../chains/chain-client.ts";
import { getAddress } from "../../chains/evm/values/address.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { ChainError } from "../../chains/reader.ts";

/** One change of a proxy or of its beacon. */
export type ProxyChange = {
  part: "implementation" | "admin" | "beacon";
  address: string;
  previous: string | null;
  block_number: number;
  tx_hash: string | null;
  /** `chain`: found in the logs. `engine`: recorded by this service while monitoring. */
  source: "chain" | "engine";
};

export type ProxyHistory = { changes: ProxyChange[]; searched_from: number | null; problem: string | null };

const topics: Record<string, ProxyChange["part"]> = {
  [keccakOfText("Upgraded(address)")]: "implementation",
  [keccakOfText("AdminChanged(address,address)")]: "admin",
  [keccakOfText("BeaconUpgraded(address)")]: "beacon",
};
const maxRequests = 6;
const maxChanges = 100;

/** Returns the changes of a proxy and its beacon, newest first, as far back as a few log requests reach. */
export async function findProxyHistory(
  client: ChainClient,
  addresses: string[],
  height: number,
): Promise<ProxyHistory> {
  try {
    const filter = {
      addresses,
      topics: [Object.keys(topics) as Hex[]],
      from: 0,
      to: height,
      maxRequests,
    };
    const { logs, searched_from, is_complete } = await client.logs(filter);
    const problem = is_complete
      ? null
      : `The search for changes does not include blocks before ${searched_from}.`;
    return { changes: logs.flatMap(changeIn).slice(0, maxChanges), searched_from, problem };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return {
      changes: [],
      searched_from: null,
      problem: "The endpoints of this chain provided no historical logs.",
    };
  }
}

function changeIn({ topics: [topic, indexed], data, height, tx_hash }: FoundLog): ProxyChange[] {
  const part = topics[topic ?? ""];
  const words = [...(indexed ? [indexed] : []), ...(data.slice(2).match(/.{64}/g) ?? [])].map(addressInWord);
  const [first, second] = words;
  const address = part === "admin" ? second : first;
  if (!part || !address) return [];
  const previous = part === "admin" ? (first ?? null) : null;
  return [{ part, address, previous, block_number: height, tx_hash, source: "chain" }];
}

function addressInWord(word: string): string {
  return getAddress(`0x${word.slice(-40)}`);
}
