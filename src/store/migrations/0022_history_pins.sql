-- The first page of the history pins its end, so that late events do not shift the next pages: the time of the first request,
-- and the events that had just been found. The rows are worthless after a crash.
create unlogged table history_pins (
  org_id uuid not null references orgs (id) on delete cascade,
  until timestamptz not null,
  pinned_at timestamptz not null,
  known uuid[] not null,
  primary key (org_id, until)
);
create index history_pins_by_age on history_pins (pinned_at);
