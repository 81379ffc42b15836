-- The finality of an alert follows from its height and the cursor of its chain. A column per alert
-- needed two more updates of each.
alter table chain_cursors
  add column safe_height bigint not null default 0,
  add column finalized_height bigint not null default 0;
drop index alert_events_unsettled;
