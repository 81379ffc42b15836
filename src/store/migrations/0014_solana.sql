-- Of a block that was put together from what was found by address: the signatures in it, and the addresses that were looked
-- at from this block on. Null where blocks come whole.
alter table chain_blocks add column seen jsonb;
