-- How final an alert is follows from its block and how far its chain is settled: to say it of every alert anew as the chain
-- moves on meant writing each of them twice more.
alter table chain_cursors
  add column safe_height bigint not null default 0,
  add column finalized_height bigint not null default 0;
drop index alert_events_unsettled;
