-- How people are told: from a notice to one message a channel, each attempt on record.

alter table channels
  -- Counts changes of how and whether it is sent to: the outcome of a message sent before a change says nothing after it.
  add column revision integer not null default 1,
  -- Failed attempts since the last success, since when, and since when that counts as failing.
  add column failures integer not null default 0,
  add column first_failure_at timestamptz,
  add column failing_since timestamptz,
  -- Nothing is sent before this: the provider asked for patience, or nothing gets through.
  add column next_send_at timestamptz;
create index channels_by_org on channels (org_id, created_at);
create index channels_failing on channels (failing_since) where failing_since is not null;

alter table alert_notices drop constraint alert_notices_kind_check;
alter table alert_notices
  add check (kind in ('fired', 'renotified', 'acknowledged', 'resolved', 'retracted')),
  -- When deliveries were made of it; null while it waits for that.
  add column fanned_out_at timestamptz;
-- What was noticed before there were channels is told to nobody now.
update alert_notices set fanned_out_at = created_at;
create index alert_notices_waiting on alert_notices (org_id, created_at) where fanned_out_at is null;

create table silences (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  contract_id uuid,
  -- A value, or key:value, of a contract's labels.
  label text,
  severity text check (severity in ('info', 'warning', 'critical')),
  reason text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Lifted before its end; kept, since deliveries name it.
  deleted_at timestamptz,
  created_at timestamptz not null,
  unique (org_id, id),
  check (ends_at > starts_at),
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade
);
create index silences_by_org on silences (org_id, ends_at) where deleted_at is null;

-- Who sends, and until when the others believe so, by the database's clock.
create table delivery_workers (
  id uuid primary key,
  lease_until timestamptz not null
);

-- One message to one channel. The channel may be gone, so its name is kept.
create table deliveries (
  -- The id that the receiver sees, the same on every attempt.
  id uuid primary key,
  org_id uuid not null references orgs (id),
  channel_id uuid not null,
  channel_type text not null,
  channel_name text not null,
  kind text not null check (kind in ('fired', 'renotified', 'acknowledged', 'resolved', 'retracted')),
  severity text not null,
  -- Must not overtake an earlier message of the same event to the same channel.
  follows boolean not null,
  -- The order in which messages were made.
  position bigint generated always as identity,
  status text not null check (status in ('queued', 'sending', 'sent', 'failed', 'skipped', 'silenced')),
  -- Why it is where it is, where that is not plain.
  last_error text,
  silence_id uuid,
  -- Silenced, and to be looked at again when the silence is over.
  is_muted boolean not null default false,
  -- Counted when claimed, so that a message that ends its sender does not do so for ever.
  attempts integer not null default 0,
  -- Grows with every claim and never falls: whoever holds an older number has nothing to say any more.
  fence integer not null default 0,
  -- Attempts before it was asked to be sent again: the schedule begins anew then.
  attempts_before integer not null default 0,
  next_attempt_at timestamptz not null,
  -- When it began to wait: made, asked to be sent again, or no longer silenced.
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

-- What a message is about. A notice reaches a channel in one message only.
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
  -- Lost: whoever sent it ended before it could say how it went.
  result text not null check (result in ('sent', 'retry', 'failed', 'skipped', 'lost')),
  status_code integer,
  error text,
  excerpt text,
  primary key (delivery_id, attempt)
);

-- Numbers whose owners asked not to be sent anything, by any org.
create table sms_opt_outs (
  phone text primary key,
  opted_out_at timestamptz not null
);
