-- Searches for the contracts that a wallet deployed or used.
create table wallet_discoveries (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  wallet_address text not null,
  chain_ids bigint[] not null,
  status text not null check (status in ('pending', 'completed', 'partial', 'failed')),
  is_cached boolean not null default false,
  error text,
  -- The worker that has the lease, and its expiry.
  leased_until timestamptz,
  attempts integer not null default 0,
  created_by uuid references users (id),
  created_at timestamptz not null,
  completed_at timestamptz,
  unique (org_id, id)
);
create index wallet_discoveries_by_org on wallet_discoveries (org_id, created_at desc, id desc);
create index wallet_discoveries_pending on wallet_discoveries (created_at) where status = 'pending';

-- The result of each chain of a discovery.
create table wallet_discovery_chains (
  discovery_id uuid not null references wallet_discoveries (id) on delete cascade,
  chain_id bigint not null,
  status text not null check (status in ('pending', 'completed', 'partial', 'failed')),
  found integer not null default 0,
  error text,
  results jsonb not null default '[]',
  primary key (discovery_id, chain_id)
);

-- Cached results by wallet and chain. They are public data, the same for every org.
create table wallet_findings (
  chain_id bigint not null,
  wallet_address text not null,
  status text not null,
  error text,
  results jsonb not null,
  found_at timestamptz not null,
  primary key (chain_id, wallet_address)
);

create function announce_discoveries() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id)
  select n.org_id, 'discovery.updated', n.id from before o join changed n using (id)
  where o.status <> n.status order by n.id;
  return null;
end $$;
create trigger wallet_discoveries_announce after update on wallet_discoveries
  referencing old table as before new table as changed for each statement execute function announce_discoveries();

create function announce_discovery_chains() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id)
  select distinct d.org_id, 'discovery.updated', d.id
  from before o join changed n using (discovery_id, chain_id) join wallet_discoveries d on d.id = n.discovery_id
  where o.status <> n.status;
  return null;
end $$;
create trigger wallet_discovery_chains_announce after update on wallet_discovery_chains
  referencing old table as before new table as changed for each statement execute function announce_discovery_chains();
