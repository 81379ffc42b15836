import { memoize } from "../../../lib/caching/memoize.ts";
import type { Block, Hex } from "../../block.ts";
import { parseAddress } from "../values/address.ts";
import { pad } from "../values/hex.ts";
import { keccakOfText } from "../values/keccak.ts";

/** ERC-20 and ERC-721 tokens have the same event, with the sender and the recipient as topics. */
export const transferTopic = keccakOfText("Transfer(address,address,uint256)");

/** Returns the senders and recipients of the tokens that were transferred in a block. */
export function* holdersInTransfers({ logs }: Block): Generator<string> {
  for (const { topics } of logs) if (topics[0] === transferTopic) yield* addressesIn(topics);
}

/** Returns the sender and the recipient of a transfer. */
export function addressesIn([, from, to]: readonly string[]): string[] {
  return [from, to].flatMap((topic) => (topic ? (addressInTopic(topic) ?? []) : []));
}

const addressInTopic = memoize(20_000, (topic) => parseAddress(`0x${topic.slice(-40)}`));

export function topicOf(address: string): Hex {
  return pad(address.toLowerCase() as Hex, { size: 32 });
}
