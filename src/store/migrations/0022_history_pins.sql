-- Who pages through the history pins its end, and what is found late must not shift the pages that follow: when an end was
-- first asked for, and what had only just been found by then. Worth nothing after a crash.
create unlogged table history_pins (
  org_id uuid not null references orgs (id) on delete cascade,
  until timestamptz not null,
  pinned_at timestamptz not null,
  known uuid[] not null,
  primary key (org_id, until)
);
create index history_pins_by_age on history_pins (pinned_at);
