/** Ranks per kind of log; a transaction with more logs of one kind than this is not possible within a block. */
const maxRank = 2 ** 16;

/**
 * Makes a function that numbers the logs of a block, which must be in order. The number of a log is unique within its
 * transaction and the same on every branch. It depends only on logs of the same address and event, so that it does not matter
 * which other logs were read.
 */
export function makeLogPositions(): (log: {
  tx_index: number;
  address: string;
  topic: string | undefined;
}) => number {
  let transaction = -1;
  let ranks = new Map<number, number>();
  return ({ tx_index, address, topic = "0x000000" }) => {
    if (tx_index !== transaction) {
      transaction = tx_index;
      ranks = new Map();
    }
    const kind = (Number.parseInt(address.slice(-6), 16) ^ Number.parseInt(topic.slice(2, 8), 16)) >>> 0;
    const rank = ranks.get(kind) ?? 0;
    ranks.set(kind, rank + 1);
    return kind * maxRank + rank;
  };
}
