-- Steps [{after_seconds, channel_ids}] that notify further channels until somebody acknowledges.
alter table alert_rules add column escalation jsonb not null default '[]';

alter table alert_notices drop constraint alert_notices_kind_check;
alter table alert_notices
  add check (kind in ('fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted'));
alter table deliveries drop constraint deliveries_kind_check;
alter table deliveries
  add check (kind in ('fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted'));

-- The next step of each event that escalates.
create table escalations (
  event_id uuid primary key references alert_events (id) on delete cascade,
  org_id uuid not null,
  step integer not null,
  -- How often the event fired again after a retraction; its steps are notices of their own.
  round integer not null,
  started_at timestamptz not null,
  due_at timestamptz not null
);
create index escalations_due on escalations (due_at);
