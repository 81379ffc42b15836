import { getAddress } from "viem";
import type { Block } from "../../src/chains/block.ts";

/**
 * The oracle's version of a rule: at least `threshold` events of at least `amount` within `window` seconds, or with `isEach`
 * every such event individually.
 */
export type PlainRule = {
  isEach?: boolean;
  id: string;
  address: string;
  /** The event that counts; any event of the contract by default. */
  topic?: string;
  threshold: number;
  amount: bigint;
  window: number;
  forSeconds: number;
  resolveAfter: number;
  /** Events of each recipient, or of each amount, are counted by themselves. */
  groupBy?: "to" | "value" | undefined;
  /** A second count, of which the rule needs both or one of both. */
  other?: OtherCount | undefined;
};

export type OtherCount = {
  combines: "all" | "any";
  topic: string;
  threshold: number;
  window: number;
};

/** An episode that must be in the history: when it fired, its cause, and when it resolved. */
export type Episode = {
  rule_id: string;
  fired_at: number;
  tx_hash: string | null;
  resolved_at: number | null;
  /** The index of the log, for an occurrence of an `each` rule. */
  log_index: number | null;
  group: string | null;
};

/**
 * Computes the expected history from the canonical chain alone: evaluates every rule at every block from scratch. Slow,
 * simple and independent of the engine.
 */
export function expectedEpisodes(blocks: Block[], rules: PlainRule[]): Episode[] {
  return rules.flatMap((rule) =>
    episodesOf(blocks, rule, hitsOf(blocks, rule), otherHits(blocks, rule)).map(
      ({ height: _, ...episode }) => episode,
    ),
  );
}

/**
 * Evaluates a rule at each of the blocks. The hits may begin before the first block: a rule that is new or changed counts
 * the earlier ones, but it is evaluated only when another one follows.
 */
export function episodesOf(
  blocks: Block[],
  rule: PlainRule,
  hits: Hit[],
  others: Hit[] = [],
): (Episode & { height: number })[] {
  if (rule.groupBy) {
    const groups = Map.groupBy(hits, ({ to, value }) => (rule.groupBy === "to" ? to : value));
    const alone = { ...rule, groupBy: undefined };
    return [...groups].flatMap(([group, own]) =>
      episodesOf(blocks, alone, own).map((episode) => ({ ...episode, group })),
    );
  }
  if (rule.isEach) return occurrencesOf(blocks, rule, hits, others);
  const episodes: (Episode & { height: number })[] = [];
  let breachSince: number | null = null;
  let clearSince: number | null = null;
  let open: Episode | undefined;
  for (const block of blocks) {
    const counts = [countAt(hits, block, rule), ...(rule.other ? [countAt(others, block, rule.other)] : [])];
    const isBreach =
      rule.other?.combines === "any" ? counts.some(({ holds }) => holds) : counts.every(({ holds }) => holds);
    if (open) {
      clearSince = isBreach ? null : (clearSince ?? block.time);
      if (clearSince !== null && block.time - clearSince >= rule.resolveAfter) {
        open.resolved_at = block.time;
        open = undefined;
        clearSince = null;
        breachSince = null;
      }
      continue;
    }
    if (breachSince === null && counts.every(({ own }) => own.length === 0)) continue;
    breachSince = isBreach ? (breachSince ?? block.time) : null;
    if (breachSince === null || block.time - breachSince < rule.forSeconds) continue;
    const decisive = counts.find(({ holds, own }) => holds && own.length > 0);
    const cause = rule.forSeconds > 0 ? undefined : decisive?.cause;
    const { height, time: fired_at } = block;
    const episode = {
      rule_id: rule.id,
      fired_at,
      tx_hash: cause?.tx_hash ?? null,
      resolved_at: null,
      log_index: null,
      group: null,
      height,
    };
    open = episode;
    episodes.push(episode);
    breachSince = null;
  }
  return episodes;
}

/** Counts the hits of a window that ends with a block, and finds the one in the block that reached the threshold. */
function countAt(hits: Hit[], block: Block, { threshold, window }: Pick<PlainRule, "threshold" | "window">) {
  const inWindow = windowAt(hits, block, window);
  const own = inWindow.filter((hit) => hit.height === block.height);
  const older = inWindow.length - own.length;
  const cause = own[Math.max(0, threshold - older - 1)] ?? own.at(-1);
  return { holds: inWindow.length >= threshold, own, cause };
}

/** Each event in the blocks is an occurrence, if the second count holds at its block. */
function occurrencesOf(
  blocks: Block[],
  { id, other }: PlainRule,
  hits: Hit[],
  others: Hit[],
): (Episode & { height: number })[] {
  const holds = (block: Block) => !other || countAt(others, block, other).holds;
  const heights = new Set(blocks.filter(holds).map(({ height }) => height));
  return hits
    .filter(({ height }) => heights.has(height))
    .map(({ time, height, tx_hash, log_index }) => ({
      ...{ rule_id: id, fired_at: time, resolved_at: null, group: null },
      ...{ height, tx_hash, log_index },
    }));
}

/** Orders episodes, of which an `each` rule may have several at the same time. */
export function byIdentity(a: Episode, b: Episode): number {
  return (
    a.rule_id.localeCompare(b.rule_id) ||
    a.fired_at - b.fired_at ||
    (a.group ?? "").localeCompare(b.group ?? "") ||
    (a.tx_hash ?? "").localeCompare(b.tx_hash ?? "") ||
    (a.log_index ?? 0) - (b.log_index ?? 0)
  );
}

/** An event that counts, with the recipient and the amount of a transfer. */
export type Hit = {
  time: number;
  height: number;
  tx_hash: string;
  log_index: number;
  to: string;
  value: string;
};

/** Returns the events that a rule counts, oldest first. */
export function hitsOf(blocks: Block[], rule: Pick<PlainRule, "address" | "topic" | "amount">): Hit[] {
  const counts = ({ address, topics, data }: Block["logs"][number]) =>
    address === rule.address &&
    (!rule.topic || topics[0] === rule.topic) &&
    (rule.amount === 0n || BigInt(data) >= rule.amount);
  return blocks.flatMap(({ time, height, logs }) =>
    logs.filter(counts).map(({ tx_hash, log_index, topics, data }) => ({
      ...{ time, height, tx_hash, log_index },
      to: topics[2] ? getAddress(`0x${topics[2].slice(-40)}`) : "",
      value: data === "0x" ? "" : BigInt(data).toString(),
    })),
  );
}

/** Returns the events that the second count of a rule counts. */
export function otherHits(blocks: Block[], { address, other }: PlainRule): Hit[] {
  return other ? hitsOf(blocks, { address, topic: other.topic, amount: 0n }) : [];
}

/** Returns the hits of a window that ends with a block. Hits are in order, so that a long chain needs no scan per block. */
function windowAt(hits: Hit[], { height, time }: Block, seconds: number) {
  const from = partitionPoint(hits, (hit) => hit.time <= time - seconds);
  return hits.slice(
    from,
    partitionPoint(hits, (hit) => hit.height <= height),
  );
}

/** Returns the number of items at the start of a sorted list that fulfil a condition. */
function partitionPoint<Item>(items: Item[], isBefore: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
