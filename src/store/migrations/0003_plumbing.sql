-- Mail waiting to be handed over, written in the transaction that asks for it. The content holds links that
-- must not be readable at rest: it is sealed, and gone once the mail is sent.
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

-- Answers kept for Idempotency-Key: first reserved, then completed in the transaction of the effect.
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

-- Exact sliding windows: the times of the admitted hits, oldest first.
create table rate_windows (
  key text primary key,
  hits timestamptz[] not null,
  was_admitted boolean not null,
  expires_at timestamptz not null
);
create index rate_windows_by_expiry on rate_windows (expires_at);

-- Chains that staff switched off or on again; a chain without a row follows its RPC setting.
create table chain_switches (
  chain text primary key,
  is_enabled boolean not null,
  changed_at timestamptz not null,
  changed_by uuid references staff (id)
);
