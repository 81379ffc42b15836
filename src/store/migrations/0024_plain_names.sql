-- Rename tables and columns to the terms of the code and the documentation.
alter table former_tiers rename to retention_overrides;
alter table retention_overrides rename column ended_at to applies_before;
alter table retention_overrides rename column kept_days to retention_days;

alter table unfollowed_contracts rename to suspended_contracts;
alter table suspended_contracts rename column since to last_height;
alter table suspended_contracts rename column again_at to resume_at;
alter index unfollowed_contracts_due rename to suspended_contracts_due;

alter table chain_cursors rename column degraded_told_at to degraded_notified_at;
alter table anomaly_progress rename column judged_until to checked_until;
alter table anomaly_progress rename column judged_at to checked_at;

-- Severities are one of three values, in these tables as in the others. Existing rows are not scanned.
alter table alert_events add constraint alert_events_severity_check
  check (severity in ('info', 'warning', 'critical')) not valid;
alter table deliveries add constraint deliveries_severity_check
  check (severity in ('info', 'warning', 'critical')) not valid;

-- Keys of stored rule states, in the terms of the engine.
update rule_states set state = (state - 'told' - 'is_told')
  || jsonb_build_object('notified', state -> 'told', 'is_notified', coalesce(state -> 'is_told', 'false'))
  where state ?| array['told', 'is_told'];

-- Pages of the history no longer need stored pins.
drop table history_pins;
