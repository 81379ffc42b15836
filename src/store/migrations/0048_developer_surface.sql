-- A deleted discovery still counts towards the discoveries of its day.
alter table wallet_discoveries add column deleted_at timestamptz;

-- A fire drill is a notice and a message of its own kind, so that nothing treats it as an alert.
alter table alert_notices drop constraint alert_notices_kind_check;
alter table alert_notices
  add check (kind in ('fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted', 'test'));
alter table deliveries drop constraint deliveries_kind_check;
alter table deliveries
  add check (kind in ('fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted', 'test'));

-- Where a session was started, so that people recognise theirs.
alter table sessions add column ip text;

-- What others and the audit log refer to stays as an empty row.
alter table users add column deleted_at timestamptz;
alter table orgs add column deleted_at timestamptz;
