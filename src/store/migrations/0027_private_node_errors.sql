-- Errors of nodes name their hosts, which only staff may see.
update alert_events set explanation = explanation - 'last_error'
where rule_id is null and target_type = 'chain' and explanation ? 'last_error';
