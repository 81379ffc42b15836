-- Alerts of a restricted contract go only to channels that an admin or a grantee of it configured, and a silence covers only
-- contracts that its author may change.

alter table channels
  -- The person who last changed where the channel sends; null for an API key, the operator, or if unknown.
  add column changed_by uuid references users (id),
  -- True if that was an admin, an API key without restrictions or the operator, who see every contract.
  add column is_changed_by_admin boolean not null default false,
  add column changed_at timestamptz not null default now();

alter table silences
  add column created_by uuid references users (id),
  add column is_created_by_admin boolean not null default false;

-- Existing rows: the audit log has the author. Without an entry the author is unknown and has no access to restricted contracts.
create temporary table authors on commit drop as
  select distinct on (a.subject_type, a.subject_id) a.subject_type, a.subject_id, a.org_id, a.actor_type, u.id as user_id,
    a.actor_type in ('api_key', 'system') or exists (
      select 1 from memberships m where m.org_id = a.org_id and m.user_id = u.id and m.role = 'admin') as is_admin
  from audit_log a left join users u on a.actor_type = 'user' and u.id = a.actor_id
  where a.action in ('channel.created', 'channel.updated', 'silence.created')
  order by a.subject_type, a.subject_id, a.created_at desc, a.id desc;

update channels c set changed_by = a.user_id, is_changed_by_admin = a.is_admin
from authors a where a.subject_type = 'channel' and a.subject_id = c.id::text and a.org_id = c.org_id;
update channels set changed_at = created_at;
update silences s set created_by = a.user_id, is_created_by_admin = a.is_admin
from authors a where a.subject_type = 'silence' and a.subject_id = s.id::text and a.org_id = s.org_id;
