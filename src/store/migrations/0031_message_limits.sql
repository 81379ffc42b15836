-- Messages of an org in each hour, which are bounded by its tier.
create table message_counts (
  org_id uuid not null references orgs (id),
  hour timestamptz not null,
  messages integer not null,
  -- E-mail and text messages among them, which have a lower limit.
  mails_and_texts integer not null,
  primary key (org_id, hour)
);
create index message_counts_by_hour on message_counts (hour);

-- Messages beyond the limit, until they are summarised in one message per channel after the hour.
create table message_overflows (
  org_id uuid not null references orgs (id),
  channel_id uuid not null,
  hour timestamptz not null,
  messages integer not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  primary key (channel_id, hour)
);
create index message_overflows_by_hour on message_overflows (hour);
