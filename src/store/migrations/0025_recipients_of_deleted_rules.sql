-- An alert that fired before its rule was deleted still goes to the channels of the rule.
alter table alert_events add column channel_ids uuid[];

-- Two statements, so that each uses the small index of the notices that wait or of the events that are held.
create function keep_recipients() returns trigger language plpgsql as $$
declare
  recipients uuid[] := array_remove(array_prepend(old.channel_id, coalesce(old.channel_ids, '{}')), null);
begin
  update alert_events set channel_ids = recipients where rule_id = old.id and id in (
    select event_id from alert_notices where org_id = old.org_id and fanned_out_at is null);
  update alert_events set channel_ids = recipients where rule_id = old.id and held_for is not null;
  return old;
end $$;

create trigger keep_recipients before delete on alert_rules for each row execute function keep_recipients();
