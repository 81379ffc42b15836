-- The state of the engine: cursors, blocks, samples, rule states and events.

-- One row per chain. One process at a time has the lease: its holder, the expiry and the fencing token.
create table chain_cursors (
  chain text primary key,
  height bigint not null,
  hash text not null,
  block_time timestamptz not null,
  head_height bigint,
  head_seen_at timestamptz,
  -- Set after a reorganisation deeper than the finality depth of the chain. Staff clear it.
  degraded_reason text,
  degraded_told_at timestamptz,
  last_error text,
  updated_at timestamptz not null
);

create table chain_leases (
  chain text primary key,
  holder uuid not null,
  fence bigint not null,
  expires_at timestamptz not null
);

-- The most recent processed blocks, for finding the common ancestor after a reorganisation.
create table chain_blocks (
  chain text not null,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  block_time timestamptz not null,
  primary key (chain, height)
);

-- Readings of targets. A target has a series, and so has a rule with a `match`.
create table samples (
  series_id uuid not null,
  org_id uuid not null,
  chain text not null,
  height bigint not null,
  at timestamptz not null,
  -- The position among the readings of this series in the block.
  position integer not null,
  value double precision not null,
  -- The subject that `unique` counts, such as a sender.
  subject text,
  evidence jsonb
) partition by range (at);
create index samples_by_series on samples (series_id, at);
create index samples_by_height on samples (chain, height);

create table samples_minute (
  series_id uuid not null,
  org_id uuid not null,
  at timestamptz not null,
  count bigint not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  last double precision not null,
  primary key (series_id, at)
) partition by range (at);

create table samples_hour (
  series_id uuid not null,
  org_id uuid not null,
  at timestamptz not null,
  count bigint not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  last double precision not null,
  primary key (series_id, at)
) partition by range (at);

-- The state of each rule after a block that changed it. The newest row is valid; older ones are kept while
-- the blocks after them can be rolled back.
create table rule_states (
  rule_id uuid not null references alert_rules (id) on delete cascade,
  chain text not null,
  height bigint not null,
  state jsonb not null,
  primary key (rule_id, height)
);
create index rule_states_by_chain on rule_states (chain, height);

create table alert_events (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  kind text not null check (kind in ('fired', 'no_data', 'error', 'test')),
  status text not null check (status in ('firing', 'acknowledged', 'resolved', 'retracted')),
  rule_id uuid,
  rule_version integer not null,
  -- The cause: chain, transaction and log index, or the end of a window. Unique per version of a rule,
  -- so that a block that is processed twice creates one event.
  observation text not null,
  rule_name text not null,
  contract_id uuid,
  agent_id uuid,
  chain text not null,
  chain_id bigint not null,
  target_id uuid,
  target_type text not null,
  severity text not null,
  title text not null,
  message text not null,
  value double precision,
  threshold double precision,
  operator text not null,
  unit text,
  window_seconds integer,
  -- Recorded without a notification, because the rule is in shadow or in its cooldown.
  is_silent boolean not null default false,
  -- The finality that the event waits for before it is visible: a number of confirmations, 'safe' or 'finalized'.
  held_for text,
  fired_at timestamptz not null,
  detected_at timestamptz not null,
  resolved_at timestamptz,
  resolved_height bigint,
  acknowledged_at timestamptz,
  acknowledged_by uuid references users (id),
  block_number bigint,
  block_hash text,
  tx_hash text,
  log_index integer,
  finality text not null check (finality in ('pending', 'safe', 'finalized', 'retracted')),
  explanation jsonb not null,
  created_at timestamptz not null
);
-- Nulls are equal here: a system alert has no rule, and must be unique too.
create unique index alert_events_once on alert_events (rule_id, rule_version, observation) nulls not distinct;
create index alert_events_by_org on alert_events (org_id, fired_at desc, id desc) where held_for is null;
create index alert_events_by_rule on alert_events (rule_id, fired_at desc, id desc) where held_for is null;
create index alert_events_by_contract on alert_events (contract_id, fired_at desc, id desc) where held_for is null;
create index alert_events_by_severity on alert_events (org_id, severity, fired_at desc, id desc) where held_for is null;
create index alert_events_by_agent on alert_events (org_id, agent_id, fired_at desc, id desc)
  where held_for is null and agent_id is not null;
create index alert_events_by_detection on alert_events (detected_at);
-- For reorganisations, and for events that wait for confirmations.
create index alert_events_by_block on alert_events (chain, block_number);
create index alert_events_by_resolution on alert_events (chain, resolved_height) where resolved_height is not null;
create index alert_events_held on alert_events (chain, block_number) where held_for is not null;
create index alert_events_unsettled on alert_events (chain, block_number) where finality in ('pending', 'safe');

-- The outbox of notifications, inserted in the transaction of the event. The delivery workers read it.
create table alert_notices (
  id uuid primary key,
  org_id uuid not null,
  event_id uuid not null references alert_events (id) on delete cascade,
  kind text not null check (kind in ('fired', 'resolved', 'retracted', 'renotified')),
  -- Numbers reminders. Other kinds of notices exist once per event.
  occurrence integer not null default 0,
  created_at timestamptz not null,
  unique (event_id, kind, occurrence)
);
create index alert_notices_by_age on alert_notices (created_at);
