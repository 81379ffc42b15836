-- The retention of former tiers: a downgrade does not shorten the history from before.
create table former_tiers (
  org_id uuid not null references orgs (id) on delete cascade,
  -- Data from before this time is kept for the retention of that tier.
  ended_at timestamptz not null,
  kept_days integer not null,
  primary key (org_id, ended_at)
);
