import type { Session } from "../../rpc/session.ts";
import { readFoundLog } from "../scan/fetch-events.ts";
import { readList } from "../values/raw.ts";
import { addressesIn, topicOf, transferTopic } from "./token-transfers.ts";

/** Nodes limit the alternatives of a filter. */
const maxAlternatives = 500;

/** Returns the holders from or to whom one of their tokens was transferred in a range. */
export async function fetchActiveHolders(
  session: Session,
  holders: ReadonlyMap<string, ReadonlySet<string>>,
  from: number,
  to: number,
): Promise<Set<string>> {
  const tokens = [...holders.keys()].slice(0, maxAlternatives);
  const topics = [...new Set([...holders.values()].flatMap((topicsOfHolder) => [...topicsOfHolder]))]
    .slice(0, maxAlternatives)
    .map(topicOf);
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const active = new Set<string>();
  for (const filter of [
    [transferTopic, topics],
    [transferTopic, null, topics],
  ]) {
    const reply = await session.request("eth_getLogs", [{ address: tokens, topics: filter, ...range }]);
    for (const value of readList(reply, "list of logs")) {
      const { address, topics: found } = readFoundLog(value, from, to);
      for (const holder of addressesIn(found)) if (holders.get(address)?.has(holder)) active.add(holder);
    }
  }
  return active;
}
