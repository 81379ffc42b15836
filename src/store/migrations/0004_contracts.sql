-- Contracts, their targets and rules, channels, and the grants that restrict access.

create table contracts (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  chain text not null,
  chain_id bigint not null,
  -- The canonical spelling: EIP-55 on EVM chains, base58 on Solana.
  address text not null,
  label text not null,
  status text not null check (status in ('PENDING', 'MONITORING', 'PAUSED', 'ERROR')),
  status_reason text,
  category text not null default 'other',
  contract_type text not null default 'unknown',
  is_proxy boolean not null default false,
  implementation_address text,
  -- The block of the deployment, if the engine has processed it.
  implementation_height bigint,
  is_verified boolean,
  abi jsonb,
  abi_source text not null default 'none' check (abi_source in ('upload', 'registry', 'bytecode', 'import', 'none')),
  last_activity_at timestamptz,
  -- The id in the file that the contract was imported from.
  external_ref text,
  -- Set by the first grant, cleared when the last is revoked. It stays set when a grantee leaves the org.
  is_restricted boolean not null default false,
  created_by uuid references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id),
  unique (org_id, chain, address)
);
create index contracts_by_chain on contracts (chain, address);

create table contract_labels (
  id uuid primary key,
  org_id uuid not null,
  contract_id uuid not null,
  key text,
  value text not null,
  color text,
  created_at timestamptz not null,
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade
);
create unique index contract_labels_once on contract_labels (contract_id, lower(coalesce(key, '')), lower(value));

-- Only admins and grantees see a restricted contract.
create table contract_grants (
  id uuid primary key,
  org_id uuid not null,
  contract_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('viewer', 'editor')),
  granted_by uuid references users (id),
  created_at timestamptz not null,
  unique (contract_id, user_id),
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade,
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create index contract_grants_by_user on contract_grants (org_id, user_id);

create table targets (
  id uuid primary key,
  org_id uuid not null,
  contract_id uuid not null,
  target_type text not null,
  name text not null,
  config jsonb not null default '{}',
  unit text,
  is_singleton boolean not null,
  is_enabled boolean not null default true,
  status text not null default 'no_data' check (status in ('ok', 'no_data', 'error', 'unsupported')),
  status_reason text,
  last_value double precision,
  last_value_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id),
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade
);
create unique index targets_singleton on targets (contract_id, target_type) where is_singleton;
create index targets_by_contract on targets (contract_id);

create table channels (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  type text not null,
  name text not null,
  -- The part that may be shown. Secrets are encrypted in a column of their own.
  config jsonb not null default '{}',
  sealed_secrets bytea,
  min_severity text not null default 'info' check (min_severity in ('info', 'warning', 'critical')),
  is_enabled boolean not null default true,
  status text not null default 'ok' check (status in ('ok', 'failing', 'disabled')),
  last_success_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id)
);

create table alert_rules (
  id uuid primary key,
  org_id uuid not null,
  contract_id uuid not null,
  target_id uuid not null,
  channel_id uuid,
  channel_ids uuid[] not null default '{}',
  agent_id uuid,
  name text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  condition jsonb not null,
  for_seconds integer not null default 0,
  resolve_after_seconds integer not null default 0,
  cooldown_seconds integer not null default 300,
  renotify_seconds integer,
  notify_on_resolve boolean not null default true,
  no_data text not null default 'ignore' check (no_data in ('ignore', 'alert')),
  mode text not null default 'live' check (mode in ('live', 'shadow')),
  -- A number of blocks, 'safe' or 'finalized'. Null: the alert is sent when its block is processed.
  confirmations text,
  message_template text,
  is_enabled boolean not null default true,
  -- The version of the condition, which is part of the identity of the events.
  version integer not null default 1,
  external_ref text,
  created_by uuid references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id),
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade,
  foreign key (org_id, target_id) references targets (org_id, id) on delete cascade,
  foreign key (org_id, channel_id) references channels (org_id, id) on delete set null (channel_id)
);
create index alert_rules_by_target on alert_rules (target_id);
create index alert_rules_by_contract on alert_rules (org_id, contract_id);

-- Each change of contracts, targets or rules has a number, written in its transaction. The engine loads the changes in this order.
create sequence watch_changes;
create table watch_versions (
  contract_id uuid primary key,
  chain text not null,
  changed bigint not null
);
create index watch_versions_by_change on watch_versions (chain, changed);
