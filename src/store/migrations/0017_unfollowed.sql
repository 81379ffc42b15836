-- Contracts at which more happens than can be followed: nothing after the block `since` is counted until they are
-- followed again. Their status says so as well.
create table unfollowed_contracts (
  contract_id uuid primary key references contracts (id) on delete cascade,
  chain text not null,
  since bigint not null,
  again_at timestamptz not null,
  created_at timestamptz not null
);
create index unfollowed_contracts_due on unfollowed_contracts (chain, again_at);
