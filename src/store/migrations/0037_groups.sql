-- The state of a group of a rule that evaluates each group by itself; empty for the state of the rule.
alter table rule_states add column group_key text not null default '';
alter table rule_states drop constraint rule_states_pkey;
alter table rule_states add primary key (rule_id, group_key, height);

-- The group that an event is about.
alter table alert_events add column group_value text;
