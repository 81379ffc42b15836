import type { Block } from "../../src/chains/block.ts";

/** A rule as the oracle knows it: at least `threshold` events of at least `amount` within `window` seconds. */
export type PlainRule = {
  id: string;
  address: string;
  threshold: number;
  amount: bigint;
  window: number;
  forSeconds: number;
  resolveAfter: number;
};

/** An episode that must be in the history: when it began, what began it, when it was over. */
export type Episode = {
  rule_id: string;
  fired_at: number;
  tx_hash: string | null;
  resolved_at: number | null;
};

/**
 * What the history must hold, worked out from the canonical chain alone: every rule at every block, by counting again
 * from the beginning. Slow, plain, and nothing of the engine's.
 */
export function expectedEpisodes(blocks: Block[], rules: PlainRule[]): Episode[] {
  return rules.flatMap((rule) => episodesOf(blocks, rule));
}

function episodesOf(blocks: Block[], rule: PlainRule): Episode[] {
  const episodes: Episode[] = [];
  let breachSince: number | null = null;
  let clearSince: number | null = null;
  let open: Episode | undefined;
  for (const [index, block] of blocks.entries()) {
    const hits = hitsUpTo(blocks.slice(0, index + 1), rule);
    const inWindow = hits.filter((hit) => hit.time > block.time - rule.window);
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

function hitsUpTo(blocks: Block[], rule: PlainRule) {
  return blocks.flatMap((block) =>
    block.logs
      .filter((log) => log.address === rule.address && BigInt(log.data) >= rule.amount)
      .map((log) => ({ time: block.time, height: block.height, tx_hash: log.tx_hash })),
  );
}
