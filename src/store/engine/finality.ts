import { sql } from "kysely";

/**
 * How final the event `e` is: as its chain stands now, unless it was called off, or is not of a block. Under the name that
 * the column has, so that it takes its place.
 */
export const finalityNow = sql`
  case when e.finality in ('finalized', 'retracted') then e.finality else coalesce((
    select case when e.block_number <= k.finalized_height then 'finalized' when e.block_number <= k.safe_height then 'safe' end
    from chain_cursors k where k.chain = e.chain), 'pending') end as finality`;
