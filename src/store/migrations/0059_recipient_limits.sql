-- Messages to a mailbox or phone number in each hour, by the org that sent them. All orgs together are bounded.
create table recipient_messages (
  recipient text not null,
  hour timestamptz not null,
  org_id uuid not null references orgs (id),
  messages integer not null,
  primary key (recipient, hour, org_id)
);
create index recipient_messages_by_hour on recipient_messages (hour);

-- Messages beyond the limit, until the recipient gets one summary after the hour.
create table recipient_overflows (
  recipient text not null,
  hour timestamptz not null,
  channel_type text not null check (channel_type in ('email', 'sms')),
  address text not null,
  messages integer not null,
  primary key (recipient, hour)
);
create index recipient_overflows_by_hour on recipient_overflows (hour);
