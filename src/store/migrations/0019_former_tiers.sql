-- What an org's history was promised before it was downgraded: a downgrade deletes nothing.
create table former_tiers (
  org_id uuid not null references orgs (id) on delete cascade,
  -- What happened before this is kept for as many days as the tier of that time says.
  ended_at timestamptz not null,
  kept_days integer not null,
  primary key (org_id, ended_at)
);
