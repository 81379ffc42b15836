-- Triggers per row, only for relevant changes. Triggers per statement joined the old and the new rows of a statement with
-- a thousand changes, which took longer than everything else.

drop trigger alert_events_announce_change on alert_events;
drop function announce_changed_alerts;
create function announce_changed_alert() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id)
  values (new.org_id, case when old.held_for is null then 'alert.updated' else 'alert.fired' end, new.id, new.contract_id,
    new.chain_id);
  return null;
end $$;
create trigger alert_events_announce_change after update on alert_events for each row
  when (new.held_for is null and (old.held_for is not null or old.status <> new.status or old.message <> new.message))
  execute function announce_changed_alert();

drop trigger contracts_announce_change on contracts;
drop function announce_changed_contracts;
create function announce_changed_contract() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id, was_restricted)
  values (new.org_id, 'contract.updated', new.id, new.id, new.chain_id, new.is_restricted);
  return null;
end $$;
-- Columns that every block changes, such as the last activity, cause no message.
create trigger contracts_announce_change after update on contracts for each row
  when ((old.label, old.status, old.category, old.contract_type, old.is_proxy, old.abi_source, old.is_restricted)
      <> (new.label, new.status, new.category, new.contract_type, new.is_proxy, new.abi_source, new.is_restricted)
    or old.status_reason is distinct from new.status_reason
    or old.implementation_address is distinct from new.implementation_address
    or old.is_verified is distinct from new.is_verified)
  execute function announce_changed_contract();

drop trigger deliveries_announce_failure on deliveries;
drop function announce_failed_deliveries;
create function announce_failed_delivery() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id) values (new.org_id, 'delivery.failed', new.id);
  return null;
end $$;
create trigger deliveries_announce_failure after update on deliveries for each row
  when (new.status = 'failed' and old.status <> 'failed')
  execute function announce_failed_delivery();

drop trigger alert_events_touch_change on alert_events;
drop function touch_changed_alert_hours;
-- Only changes that affect a count: of the visibility or of the time of an alert.
create function touch_changed_alert_hour() returns trigger language plpgsql as $$
begin
  insert into alert_hours_touched
  select distinct new.org_id, date_trunc('hour', at, 'UTC') from unnest(array[old.fired_at, new.fired_at]) at;
  return null;
end $$;
create trigger alert_events_touch_change after update on alert_events for each row
  when (old.fired_at <> new.fired_at or (old.held_for is null) <> (new.held_for is null) or old.severity <> new.severity)
  execute function touch_changed_alert_hour();

drop trigger wallet_discoveries_announce on wallet_discoveries;
drop function announce_discoveries;
create function announce_discovery() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id) values (new.org_id, 'discovery.updated', new.id);
  return null;
end $$;
create trigger wallet_discoveries_announce after update on wallet_discoveries for each row
  when (old.status <> new.status)
  execute function announce_discovery();

drop trigger wallet_discovery_chains_announce on wallet_discovery_chains;
drop function announce_discovery_chains;
create function announce_discovery_chain() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id)
  select org_id, 'discovery.updated', id from wallet_discoveries where id = new.discovery_id;
  return null;
end $$;
create trigger wallet_discovery_chains_announce after update on wallet_discovery_chains for each row
  when (old.status <> new.status)
  execute function announce_discovery_chain();

-- For finding the messages of a worker. With the status in the query, PostgreSQL would read all messages that are being sent.
alter table deliveries add check ((worker_id is not null) = (status = 'sending'));
