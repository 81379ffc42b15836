-- The contract of each alert of a message, which decides who may see the message. It outlives the alert: the alerts of a message
-- can expire one after the other, and what is left must not make the message visible to people who could not see it before.
alter table delivery_notices add column contract_id uuid;
update delivery_notices l set contract_id = e.contract_id from alert_events e where e.id = l.event_id;
alter table delivery_notices
  alter column event_id drop not null,
  drop constraint delivery_notices_event_id_fkey,
  add foreign key (event_id) references alert_events (id) on delete set null;
