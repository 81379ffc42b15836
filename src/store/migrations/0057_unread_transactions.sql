-- The newest transaction of which a target could not read everything: its log is cut off, or its version is unknown.
alter table targets
  add column unread_height bigint,
  add column unread_at timestamptz,
  add column unread_problem text;
create index targets_unread on targets (unread_at) where unread_at is not null;
