-- Suspended contracts, which have more activity than can be processed. Nothing after the block `since` is counted
-- until they resume. Their status says so too.
create table unfollowed_contracts (
  contract_id uuid primary key references contracts (id) on delete cascade,
  chain text not null,
  since bigint not null,
  again_at timestamptz not null,
  created_at timestamptz not null
);
create index unfollowed_contracts_due on unfollowed_contracts (chain, again_at);
