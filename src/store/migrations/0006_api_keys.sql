-- API keys. Only the hash of a key is stored, and a prefix by which people recognise it.
create table api_keys (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scope text not null check (scope in ('read_only', 'read_write')),
  -- Null: all contracts.
  contract_scope uuid[],
  chain_scope bigint[],
  expires_at timestamptz,
  is_active boolean not null default true,
  deactivated_at timestamptz,
  deactivated_by text check (deactivated_by in ('revoked', 'rotated', 'expired')),
  last_used_at timestamptz,
  created_by uuid references users (id),
  created_at timestamptz not null,
  unique (org_id, id),
  check (is_active = (deactivated_at is null)),
  check (is_active = (deactivated_by is null))
);
create index api_keys_by_org on api_keys (org_id, created_at desc, id desc);
create index api_keys_gone on api_keys (deactivated_at) where not is_active;

create table api_key_usage (
  org_id uuid not null,
  key_id uuid not null,
  day date not null,
  requests bigint not null,
  errors bigint not null,
  primary key (key_id, day),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
);
create index api_key_usage_by_org on api_key_usage (org_id, day);

-- Sliding windows of the rate limits of keys, shared by all processes. Requests are numbered; the time of
-- request n is in slot n mod 6000, and the requests from `oldest` to `next` - 1 are inside the window.
create table key_windows (
  key_id uuid primary key references api_keys (id) on delete cascade,
  oldest bigint not null,
  next bigint not null
);
create table key_window_hits (
  key_id uuid not null references key_windows (key_id) on delete cascade,
  slot integer not null,
  at timestamptz not null,
  primary key (key_id, slot)
) with (fillfactor = 50);

-- Accepts a request or returns how long to wait. The lock of the row serialises all processes, and the time is that
-- of this server, read under the lock. So a window never has more requests than the limit, and none below it is rejected.
create function admit_key_hit(asked uuid, allowed integer, window_ms integer)
returns table (is_admitted boolean, remaining integer, wait_ms double precision, reset_ms double precision)
language plpgsql as $$
declare
  first bigint;
  next_hit bigint;
  moment timestamptz;
  length interval := make_interval(secs => window_ms / 1000.0);
  hit timestamptz;
begin
  -- A crash of the server may lose the newest requests of a window. Waiting for the disk on each request would cost more.
  perform set_config('synchronous_commit', 'off', true);
  insert into key_windows values (asked, 0, 0) on conflict do nothing;
  select oldest, next into first, next_hit from key_windows where key_id = asked for update;
  moment := clock_timestamp();
  while first < next_hit loop
    select at into hit from key_window_hits where key_id = asked and slot = first % 6000;
    exit when hit > moment - length;
    first := first + 1;
  end loop;
  if next_hit - first >= allowed then
    update key_windows set oldest = first where key_id = asked and oldest <> first;
    select at into hit from key_window_hits where key_id = asked and slot = (next_hit - allowed) % 6000;
    return query select false, 0,
      (extract(epoch from hit + length - moment) * 1000)::double precision,
      (extract(epoch from hit + length - moment) * 1000)::double precision;
    return;
  end if;
  insert into key_window_hits values (asked, next_hit % 6000, moment)
    on conflict (key_id, slot) do update set at = excluded.at;
  update key_windows set oldest = first, next = next_hit + 1 where key_id = asked;
  select at into hit from key_window_hits where key_id = asked and slot = first % 6000;
  return query select true, (allowed - (next_hit - first) - 1)::integer, 0::double precision,
    (extract(epoch from hit + length - moment) * 1000)::double precision;
end $$;
