-- Who pays for an org, what it pays for, and what other services tell us.

create table billing_accounts (
  org_id uuid primary key references orgs (id),
  -- The processor's name for the org.
  customer_id text not null unique,
  -- Counts what was written: state fetched before another was written is out of date.
  revision integer not null default 0,
  -- The newest checkout, which a repeat gets again while it is open.
  checkout_session_id text,
  -- The subscription that decides the tier; all null while there never was one.
  subscription_id text,
  status text,
  tier text check (tier in ('free', 'pro', 'team', 'enterprise')),
  current_period_end timestamptz,
  cancel_at_period_end boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((subscription_id is null) = (status is null) and (subscription_id is null) = (tier is null))
);

-- Events of the processor that had their effect, each written in the transaction of that effect.
create table billing_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null
);
create index billing_events_by_age on billing_events (received_at);

-- Texts that people sent to us and that had their effect.
create table sms_received (
  message_sid text primary key,
  received_at timestamptz not null
);
create index sms_received_by_age on sms_received (received_at);

-- What the Solana data provider announced. Hints: whoever reads the chain finds the same without them, later.
create table helius_inbox (
  id uuid primary key,
  -- Of the transaction; null for what could not be read.
  signature text unique,
  slot bigint,
  status text not null check (status in ('waiting', 'done', 'malformed')),
  -- As it came, cut to 64 KiB; null where nobody vouched for it.
  payload text,
  received_at timestamptz not null,
  processed_at timestamptz,
  check ((signature is null) = (status = 'malformed'))
);
create index helius_inbox_waiting on helius_inbox (received_at, id) where status = 'waiting';
create index helius_inbox_by_age on helius_inbox (received_at);
