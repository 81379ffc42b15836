-- The number of alerts per hour, so that a chart of a month needs no count of all events. A changed hour
-- is counted from the events until the job has updated its row.
create table alert_hours (
  org_id uuid not null,
  hour timestamptz not null,
  contract_id uuid,
  chain_id bigint not null,
  target_type text not null,
  severity text not null,
  -- The total of all contracts, for readers without restrictions and filters.
  is_whole boolean not null,
  total bigint not null
);
create index alert_hours_by_org on alert_hours (org_id, is_whole, hour);
create index alert_hours_by_contract on alert_hours (org_id, contract_id, hour) where not is_whole;

create table alert_hours_touched (
  org_id uuid not null,
  hour timestamptz not null
);
create index alert_hours_touched_by_org on alert_hours_touched (org_id, hour);
insert into alert_hours_touched
  select distinct org_id, date_trunc('hour', fired_at, 'UTC') from alert_events where held_for is null;

create function touch_alert_hours() returns trigger language plpgsql as $$
begin
  insert into alert_hours_touched
  select distinct org_id, date_trunc('hour', fired_at, 'UTC') from changed where held_for is null;
  return null;
end $$;
create trigger alert_events_touch_new after insert on alert_events
  referencing new table as changed for each statement execute function touch_alert_hours();
create trigger alert_events_touch_end after delete on alert_events
  referencing old table as changed for each statement execute function touch_alert_hours();

-- Only changes that affect a count: of the visibility or of the time of an alert.
create function touch_changed_alert_hours() returns trigger language plpgsql as $$
begin
  insert into alert_hours_touched
  select distinct org_id, date_trunc('hour', at, 'UTC') from (
    select n.org_id, unnest(array[o.fired_at, n.fired_at]) as at from before o join changed n using (id)
    where o.fired_at <> n.fired_at or (o.held_for is null) <> (n.held_for is null) or o.severity <> n.severity) moved;
  return null;
end $$;
create trigger alert_events_touch_change after update on alert_events
  referencing old table as before new table as changed for each statement execute function touch_changed_alert_hours();

-- Detected anomalies, which need no rule.
create table anomalies (
  id uuid primary key,
  org_id uuid not null,
  contract_id uuid not null,
  chain_id bigint not null,
  target_id uuid not null,
  anomaly_type text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  score double precision not null,
  value double precision not null,
  expected double precision not null,
  at timestamptz not null,
  -- An anomaly that continues is one row; the time at which it was last detected.
  last_seen_at timestamptz not null,
  unique (target_id, anomaly_type, at),
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade,
  foreign key (org_id, target_id) references targets (org_id, id) on delete cascade
);
create index anomalies_by_org on anomalies (org_id, at desc, id desc);
create index anomalies_by_contract on anomalies (contract_id, at desc);

-- The minute up to which each target was examined.
create table anomaly_progress (
  target_id uuid primary key references targets (id) on delete cascade,
  judged_until timestamptz not null,
  judged_at timestamptz not null
);
create index anomaly_progress_by_age on anomaly_progress (judged_at);
