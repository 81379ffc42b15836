-- Up to where every alert of a chain is known to be final. With that, how settled an alert is need not be in an index, and
-- saying it of a row rewrites nothing but the row.
alter table chain_cursors add column settled_height bigint not null default 0;
update chain_cursors c set settled_height = coalesce(
  (select min(e.block_number) - 1 from alert_events e where e.chain = c.chain and e.finality in ('pending', 'safe')), c.height);
drop index alert_events_unsettled;
alter table alert_events set (fillfactor = 85);
