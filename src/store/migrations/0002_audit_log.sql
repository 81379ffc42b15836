-- The audit log. org_id is null for actions on the platform.
create table audit_log (
  id uuid primary key,
  org_id uuid references orgs (id),
  action text not null,
  actor_type text not null check (actor_type in ('user', 'api_key', 'staff', 'system', 'link')),
  actor_id uuid,
  actor_name text,
  subject_type text not null,
  subject_id text,
  details jsonb not null default '{}',
  request_id text,
  ip text,
  created_at timestamptz not null
);
create index audit_log_by_org on audit_log (org_id, created_at desc, id desc);

-- Append-only for every role, including the owner of the table. A trigger binds the owner;
-- revoked privileges would not.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();
