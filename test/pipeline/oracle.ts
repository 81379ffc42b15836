import type { Block } from "../../src/chains/block.ts";

/** The oracle's version of a rule: at least `threshold` events of at least `amount` within `window` seconds. */
export type PlainRule = {
  id: string;
  address: string;
  /** The event that counts; any event of the contract by default. */
  topic?: string;
  threshold: number;
  amount: bigint;
  window: number;
  forSeconds: number;
  resolveAfter: number;
};

/** An episode that must be in the history: when it fired, its cause, and when it resolved. */
export type Episode = {
  rule_id: string;
  fired_at: number;
  tx_hash: string | null;
  resolved_at: number | null;
};

/**
 * Computes the expected history from the canonical chain alone: evaluates every rule at every block from scratch. Slow,
 * simple and independent of the engine.
 */
export function expectedEpisodes(blocks: Block[], rules: PlainRule[]): Episode[] {
  return rules.flatMap((rule) => episodesOf(blocks, rule));
}

function episodesOf(blocks: Block[], rule: PlainRule): Episode[] {
  const episodes: Episode[] = [];
  let breachSince: number | null = null;
  let clearSince: number | null = null;
  let open: Episode | undefined;
  const hits = hitsOf(blocks, rule);
  for (const block of blocks) {
    const inWindow = hits.filter((hit) => hit.height <= block.height && hit.time > block.time - rule.window);
    const isBreach = inWindow.length >= rule.threshold;
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
    breachSince = isBreach ? (breachSince ?? block.time) : null;
    if (breachSince === null || block.time - breachSince < rule.forSeconds) continue;
    const older = inWindow.filter((hit) => hit.height < block.height).length;
    const own = inWindow.filter((hit) => hit.height === block.height);
    const cause = rule.forSeconds > 0 ? undefined : (own[rule.threshold - older - 1] ?? own.at(-1));
    open = { rule_id: rule.id, fired_at: block.time, tx_hash: cause?.tx_hash ?? null, resolved_at: null };
    episodes.push(open);
    breachSince = null;
  }
  return episodes;
}

/** Returns the events that a rule counts, oldest first. */
export function hitsOf(blocks: Block[], rule: Pick<PlainRule, "address" | "topic" | "amount">) {
  const counts = ({ address, topics, data }: Block["logs"][number]) =>
    address === rule.address && (!rule.topic || topics[0] === rule.topic) && BigInt(data) >= rule.amount;
  return blocks.flatMap(({ time, height, logs }) =>
    logs.filter(counts).map(({ tx_hash, log_index }) => ({ time, height, tx_hash, log_index })),
  );
}
