-- The messages of the live stream. Triggers insert them, so that no code that changes an
-- alert or a contract can omit one. A sequencer numbers them after their transactions,
-- so that a late commit never inserts a message before one that was already sent.
create table stream_queue (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  event text not null,
  subject_id uuid not null,
  contract_id uuid,
  -- The access to a contract at the time of its deletion.
  chain_id bigint,
  was_restricted boolean
);

create table stream_heads (
  org_id uuid primary key references orgs (id) on delete cascade,
  seq bigint not null
);

-- The last 1,000 messages of each org, from which a client can resume.
create table stream_messages (
  org_id uuid not null references orgs (id) on delete cascade,
  seq bigint not null,
  event text not null,
  subject_id uuid not null,
  contract_id uuid,
  chain_id bigint,
  was_restricted boolean,
  primary key (org_id, seq)
);

create function announce_new_alerts() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id)
  select org_id, 'alert.fired', id, contract_id, chain_id from changed where held_for is null order by id;
  return null;
end $$;
create trigger alert_events_announce_new after insert on alert_events
  referencing new table as changed for each statement execute function announce_new_alerts();

create function announce_changed_alerts() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id)
  select n.org_id, case when o.held_for is null then 'alert.updated' else 'alert.fired' end, n.id, n.contract_id, n.chain_id
  from before o join changed n using (id)
  where n.held_for is null and (o.held_for is not null or o.status <> n.status or o.message <> n.message)
  order by n.id;
  return null;
end $$;
create trigger alert_events_announce_change after update on alert_events
  referencing old table as before new table as changed for each statement execute function announce_changed_alerts();

create function announce_new_contracts() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id, was_restricted)
  select org_id, 'contract.updated', id, id, chain_id, is_restricted from changed order by id;
  return null;
end $$;
create trigger contracts_announce_new after insert on contracts
  referencing new table as changed for each statement execute function announce_new_contracts();
create trigger contracts_announce_end after delete on contracts
  referencing old table as changed for each statement execute function announce_new_contracts();

-- Columns that every block changes, such as the last activity, cause no message.
create function announce_changed_contracts() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id, was_restricted)
  select n.org_id, 'contract.updated', n.id, n.id, n.chain_id, n.is_restricted from before o join changed n using (id)
  where (o.label, o.status, o.category, o.contract_type, o.is_proxy, o.abi_source, o.is_restricted)
      <> (n.label, n.status, n.category, n.contract_type, n.is_proxy, n.abi_source, n.is_restricted)
    or o.status_reason is distinct from n.status_reason
    or o.implementation_address is distinct from n.implementation_address
    or o.is_verified is distinct from n.is_verified
  order by n.id;
  return null;
end $$;
create trigger contracts_announce_change after update on contracts
  referencing old table as before new table as changed for each statement execute function announce_changed_contracts();

-- The labels and targets of a contract are part of its representation.
create function announce_contract_of() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id, contract_id, chain_id, was_restricted)
  select c.org_id, 'contract.updated', c.id, c.id, c.chain_id, c.is_restricted
  from contracts c where c.id in (select contract_id from changed) order by c.id;
  return null;
end $$;
create trigger contract_labels_announce_new after insert on contract_labels
  referencing new table as changed for each statement execute function announce_contract_of();
create trigger contract_labels_announce_end after delete on contract_labels
  referencing old table as changed for each statement execute function announce_contract_of();
create trigger targets_announce_new after insert on targets
  referencing new table as changed for each statement execute function announce_contract_of();
create trigger targets_announce_end after delete on targets
  referencing old table as changed for each statement execute function announce_contract_of();

create function announce_failed_deliveries() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id)
  select n.org_id, 'delivery.failed', n.id from before o join changed n using (id)
  where n.status = 'failed' and o.status <> 'failed' order by n.position;
  return null;
end $$;
create trigger deliveries_announce_failure after update on deliveries
  referencing old table as before new table as changed for each statement execute function announce_failed_deliveries();

-- For the counts in the overview.
create index alert_events_open on alert_events (org_id, rule_id) where status in ('firing', 'acknowledged') and held_for is null;
