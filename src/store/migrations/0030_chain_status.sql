-- Why a chain cannot be read, also before its first block: the cursor does not exist until then.
alter table chain_leases add column last_error text;

-- Ranges of blocks that an operator skipped because no node has them any more.
create table chain_gaps (
  id uuid primary key,
  chain text not null,
  from_height bigint not null,
  to_height bigint not null,
  created_at timestamptz not null
);
create index chain_gaps_by_chain on chain_gaps (chain, created_at desc);
