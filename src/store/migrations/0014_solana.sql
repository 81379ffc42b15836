-- For a block that was assembled from transactions by address: its signatures, the height after
-- which addresses were searched, and addresses that were searched since then. Null for complete blocks.
alter table chain_blocks add column seen jsonb;
