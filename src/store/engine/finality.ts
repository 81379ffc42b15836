import { sql } from "kysely";

/**
 * The finality of the event `e`, derived from its block and the heights of its chain. It replaces the stored column
 * of the same name, which holds only `retracted` and the state of events without a block.
 */
export const finalityNow = sql`
  case when e.finality in ('finalized', 'retracted') then e.finality else coalesce((
    select case when e.block_number <= k.finalized_height then 'finalized' when e.block_number <= k.safe_height then 'safe' end
    from chain_cursors k where k.chain = e.chain), 'pending') end as finality`;
