-- Billing accounts, and received webhooks of Stripe, Twilio and Helius.

create table billing_accounts (
  org_id uuid primary key references orgs (id),
  -- The id of the Stripe customer.
  customer_id text not null unique,
  -- The version of the state. State that was fetched before a newer one was written is stale.
  revision integer not null default 0,
  -- The newest checkout. A repeated request returns it while it is open.
  checkout_session_id text,
  -- The subscription that decides the tier; null if there was none.
  subscription_id text,
  status text,
  tier text check (tier in ('free', 'pro', 'team', 'enterprise')),
  current_period_end timestamptz,
  cancel_at_period_end boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((subscription_id is null) = (status is null) and (subscription_id is null) = (tier is null))
);

-- Processed events of Stripe, each inserted in the transaction of its change.
create table billing_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null
);
create index billing_events_by_age on billing_events (received_at);

-- Processed incoming text messages.
create table sms_received (
  message_sid text primary key,
  received_at timestamptz not null
);
create index sms_received_by_age on sms_received (received_at);

-- Transactions that Helius announced. They are hints: polling finds the same transactions later.
create table helius_inbox (
  id uuid primary key,
  -- The signature of the transaction; null if the message cannot be parsed.
  signature text unique,
  slot bigint,
  status text not null check (status in ('waiting', 'done', 'malformed')),
  -- The body, truncated to 64 KiB; null if its authentication failed.
  payload text,
  received_at timestamptz not null,
  processed_at timestamptz,
  check ((signature is null) = (status = 'malformed'))
);
create index helius_inbox_waiting on helius_inbox (received_at, id) where status = 'waiting';
create index helius_inbox_by_age on helius_inbox (received_at);
