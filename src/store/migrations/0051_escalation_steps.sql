-- A step is named by its `after_seconds` instead of its position, so that it stays the same when other steps are added or removed.
update escalations set step = round(extract(epoch from due_at - started_at));

-- First below zero, because a new number may be the old one of another notice of the event.
update alert_notices n
set occurrence = -1 - ((n.occurrence / 100) * 1000000 + (r.escalation -> (n.occurrence % 100) ->> 'after_seconds')::int)
from alert_events e join alert_rules r on r.id = e.rule_id
where n.kind = 'escalated' and e.id = n.event_id and r.escalation -> (n.occurrence % 100) is not null;

update alert_notices set occurrence = -1 - occurrence where kind = 'escalated' and occurrence < 0;
