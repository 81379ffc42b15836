-- Delivery: a notice becomes one message per channel, with a record of each attempt.

alter table channels
  -- The version of the configuration. The result of a message that was sent with an older one does not change the health.
  add column revision integer not null default 1,
  -- Failed attempts since the last success, the time of the first, and the time since which the channel is failing.
  add column failures integer not null default 0,
  add column first_failure_at timestamptz,
  add column failing_since timestamptz,
  -- Nothing is sent before this time, because the provider asked to wait or the channel is failing.
  add column next_send_at timestamptz;
create index channels_by_org on channels (org_id, created_at);
create index channels_failing on channels (failing_since) where failing_since is not null;

alter table alert_notices drop constraint alert_notices_kind_check;
alter table alert_notices
  add check (kind in ('fired', 'renotified', 'acknowledged', 'resolved', 'retracted')),
  -- The time at which its deliveries were created; null before.
  add column fanned_out_at timestamptz;
-- Notices from before this migration are not delivered.
update alert_notices set fanned_out_at = created_at;
create index alert_notices_waiting on alert_notices (org_id, created_at) where fanned_out_at is null;

create table silences (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  contract_id uuid,
  -- A label of contracts: a value or `key:value`.
  label text,
  severity text check (severity in ('info', 'warning', 'critical')),
  reason text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Set when it was ended early. The row is kept, because deliveries refer to it.
  deleted_at timestamptz,
  created_at timestamptz not null,
  unique (org_id, id),
  check (ends_at > starts_at),
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade
);
create index silences_by_org on silences (org_id, ends_at) where deleted_at is null;

-- The delivery workers and the expiry of their leases, by the clock of the database.
create table delivery_workers (
  id uuid primary key,
  lease_until timestamptz not null
);

-- A message to a channel. The name is copied, because the channel may be deleted.
create table deliveries (
  -- The id that the receiver sees, which is the same for every attempt.
  id uuid primary key,
  org_id uuid not null references orgs (id),
  channel_id uuid not null,
  channel_type text not null,
  channel_name text not null,
  kind text not null check (kind in ('fired', 'renotified', 'acknowledged', 'resolved', 'retracted')),
  severity text not null,
  -- True if it must be sent after the earlier messages about the event to the channel.
  follows boolean not null,
  -- The order of creation.
  position bigint generated always as identity,
  status text not null check (status in ('queued', 'sending', 'sent', 'failed', 'skipped', 'silenced')),
  -- The reason for the status.
  last_error text,
  silence_id uuid,
  -- The silence that holds it back until its end.
  is_muted boolean not null default false,
  -- Incremented by each claim, so that a message that crashes its worker is not sent forever.
  attempts integer not null default 0,
  -- The fencing token, which each claim increments. A worker with an older one cannot record a result.
  fence integer not null default 0,
  -- The attempts before the last replay, which restarts the retry schedule.
  attempts_before integer not null default 0,
  next_attempt_at timestamptz not null,
  -- The time since which it waits: its creation, its replay, or the end of its silence.
  queued_at timestamptz not null,
  worker_id uuid,
  sent_at timestamptz,
  created_at timestamptz not null
);
create index deliveries_due on deliveries (channel_id, next_attempt_at, position) where status = 'queued';
create index deliveries_sending on deliveries (channel_id) where status = 'sending';
create index deliveries_muted on deliveries (silence_id) where is_muted;
create index deliveries_by_org on deliveries (org_id, created_at desc, id desc);
create index deliveries_by_channel on deliveries (channel_id, created_at desc, id desc);
create index deliveries_by_sending on deliveries (sent_at) where sent_at is not null;

-- The notices in a message. A notice is in one message per channel.
create table delivery_notices (
  channel_id uuid not null,
  notice_id uuid not null,
  delivery_id uuid not null references deliveries (id) on delete cascade,
  event_id uuid not null references alert_events (id) on delete cascade,
  primary key (channel_id, notice_id)
);
create index delivery_notices_by_delivery on delivery_notices (delivery_id);
create index delivery_notices_by_event on delivery_notices (event_id);

create table delivery_attempts (
  delivery_id uuid not null references deliveries (id) on delete cascade,
  attempt integer not null,
  started_at timestamptz not null,
  latency_ms integer,
  -- Lost: the worker ended before it recorded the result.
  result text not null check (result in ('sent', 'retry', 'failed', 'skipped', 'lost')),
  status_code integer,
  error text,
  excerpt text,
  primary key (delivery_id, attempt)
);

-- Phone numbers whose owners opted out of all messages.
create table sms_opt_outs (
  phone text primary key,
  opted_out_at timestamptz not null
);
