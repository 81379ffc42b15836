-- A rule on `changed` of these target types now makes an event of each change by default. Existing rules keep the window that they had.
update alert_rules r set condition = r.condition || '{"aggregation": "last"}'
from targets t
where t.id = r.target_id and t.target_type in ('pause_state', 'storage_slot', 'view_function', 'timelock_delay')
  and r.condition ->> 'operator' = 'changed' and not r.condition ? 'aggregation';

update policies set rule = jsonb_set(rule, '{condition,aggregation}', '"last"')
where target ->> 'target_type' in ('pause_state', 'storage_slot', 'view_function', 'timelock_delay')
  and rule -> 'condition' ->> 'operator' = 'changed' and not (rule -> 'condition') ? 'aggregation';
