-- The outbox of mails. A mail is inserted in the transaction that causes it. The content has links that
-- are secrets: it is encrypted, and deleted after the mail is sent.
create table mail_outbox (
  id uuid primary key,
  sealed bytea,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mail_outbox_due on mail_outbox (next_attempt_at) where status = 'queued';

-- Responses by Idempotency-Key. A row is reserved first, and completed in the transaction of the change.
create table idempotency_keys (
  principal text not null,
  key text not null,
  request_hash bytea not null,
  reserved_until timestamptz not null,
  status integer,
  sealed_reply bytea,
  created_at timestamptz not null,
  primary key (principal, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Sliding windows of rate limits: the times of the accepted requests, oldest first.
create table rate_windows (
  key text primary key,
  hits timestamptz[] not null,
  was_admitted boolean not null,
  expires_at timestamptz not null
);
create index rate_windows_by_expiry on rate_windows (expires_at);

-- Chains that staff enabled or disabled. A chain without a row is enabled if it has an RPC setting.
create table chain_switches (
  chain text primary key,
  is_enabled boolean not null,
  changed_at timestamptz not null,
  changed_by uuid references staff (id)
);
