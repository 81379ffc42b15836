-- Of a block that was put together from what was found by address: the signatures in it, the height after
-- which was looked, and addresses that were looked at since then. Null where blocks come whole.
alter table chain_blocks add column seen jsonb;
