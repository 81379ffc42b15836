-- Users, organisations, sessions and credentials. The application makes the ids (UUID v7); times are UTC.

create table users (
  id uuid primary key,
  email text not null,
  -- The address in lower case, for comparison: two spellings of an address are the same account.
  email_key text not null unique,
  name text not null,
  password_hash text not null,
  theme text not null default 'system' check (theme in ('light', 'dark', 'system')),
  is_verified boolean not null default false,
  status text not null check (status in ('active', 'pending_approval', 'rejected')),
  active_org_id uuid,
  created_at timestamptz not null
);

create table orgs (
  id uuid primary key,
  name text not null,
  tier text not null default 'free' check (tier in ('free', 'pro', 'team', 'enterprise')),
  business jsonb not null default '{}',
  -- Null means the default of the tier.
  polling_interval_seconds integer,
  feature_flags jsonb not null default '{}',
  created_at timestamptz not null
);

create table memberships (
  org_id uuid not null references orgs (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('admin', 'member', 'viewer')),
  joined_at timestamptz not null,
  primary key (org_id, user_id)
);
create index memberships_by_user on memberships (user_id, joined_at);

-- The active org is one that the user is a member of. A user who leaves it has none.
alter table users add constraint users_active_membership
  foreign key (active_org_id, id) references memberships (org_id, user_id)
  on delete set null (active_org_id);

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- Tokens of mailed links that verify an address or reset a password.
create table user_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index user_tokens_by_user on user_tokens (user_id, purpose);
create index user_tokens_by_expiry on user_tokens (expires_at);

create table invites (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  email text not null,
  email_key text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  token_hash bytea not null unique,
  status text not null check (status in ('pending', 'accepted', 'revoked')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (org_id, id)
);
create unique index invites_one_pending on invites (org_id, email_key) where status = 'pending';

create table staff (
  id uuid primary key,
  email text not null,
  email_key text not null unique,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null
);

create table staff_sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  staff_id uuid not null references staff (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);

create table signup_approvals (
  id uuid primary key,
  user_id uuid not null unique references users (id),
  token_hash bytea not null unique,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  -- Null if the decision was made with the mailed link.
  decided_by uuid references staff (id),
  method text check (method in ('email_link', 'staff'))
);
create index signup_approvals_by_status on signup_approvals (status, requested_at);
