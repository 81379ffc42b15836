-- Events of rules that evaluate each reading by itself: they have nothing to resolve.
alter table alert_events add column is_occurrence boolean not null default false;
alter table alert_events drop constraint alert_events_status_check;
alter table alert_events add constraint alert_events_status_check
  check (status in ('firing', 'occurred', 'acknowledged', 'resolved', 'retracted'));

-- The default aggregation of these target types is now `each`. Existing rules keep the one that they had.
update alert_rules r set condition = r.condition || jsonb_build_object('aggregation', former.aggregation)
from targets t, (values
  ('large_transfer', 'max'), ('ownership_change', 'count'), ('proxy_implementation', 'sum'),
  ('governance_proposal', 'count'), ('event_value', 'sum'), ('bridge_config', 'last'),
  ('solana_program_upgrade', 'sum'), ('solana_authority_change', 'sum')) former (target_type, aggregation)
where t.id = r.target_id and t.target_type = former.target_type and not r.condition ? 'aggregation';
