-- Messages of channels of the type inbox, which the dashboard shows. A message about alerts lives as long as its delivery.
create table inbox_messages (
  -- The id of the message, so that a repeated attempt stores it once.
  id uuid primary key,
  org_id uuid not null references orgs (id) on delete cascade,
  channel_id uuid not null references channels (id) on delete cascade,
  -- Null for the test of a channel.
  delivery_id uuid references deliveries (id) on delete cascade,
  kind text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  title text not null,
  message text not null,
  received_at timestamptz not null
);
create index inbox_messages_newest on inbox_messages (org_id, received_at desc, id desc);
create index inbox_messages_delivery on inbox_messages (delivery_id);
create index inbox_messages_channel on inbox_messages (channel_id);

-- Everyone has read what they have read: a message that a colleague has opened is still new to the others.
create table inbox_reads (
  user_id uuid not null references users (id) on delete cascade,
  message_id uuid not null references inbox_messages (id) on delete cascade,
  primary key (user_id, message_id)
);
create index inbox_reads_message on inbox_reads (message_id);

create function announce_inbox_messages() returns trigger language plpgsql as $$
begin
  insert into stream_queue (org_id, event, subject_id)
  select org_id, 'inbox.received', id from changed order by received_at, id;
  return null;
end $$;
create trigger inbox_messages_announce after insert on inbox_messages
  referencing new table as changed for each statement execute function announce_inbox_messages();
