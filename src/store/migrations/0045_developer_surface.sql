-- A deleted discovery still counts towards the discoveries of its day.
alter table wallet_discoveries add column deleted_at timestamptz;

-- A fire drill is a notice and a message of its own kind, so that no part takes it for an alert.
alter table alert_notices drop constraint alert_notices_kind_check;
alter table alert_notices
  add check (kind in ('fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted', 'test'));
alter table deliveries drop constraint deliveries_kind_check;
alter table deliveries
  add check (kind in ('fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted', 'test'));
