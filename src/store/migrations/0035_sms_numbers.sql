-- Phone numbers outside SMS_ALLOW that an admin of an org confirms with a code.
create table sms_numbers (
  id uuid primary key,
  org_id uuid not null references orgs (id),
  phone text not null,
  -- The hash of the code that was sent last; null once it was used.
  code_hash bytea,
  attempts_left integer not null check (attempts_left >= 0),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  unique (org_id, phone)
);
