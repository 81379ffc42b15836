-- Names in a target or its rules that the interface of the contract does not have.
alter table targets drop constraint targets_status_code_check;
alter table targets add constraint targets_status_code_check check (status_code in ('unknown_type', 'unsupported_chain',
  'unsupported_config', 'needs_code', 'read_failed', 'unresolved_names', 'unresolved_rule_names'));
create index targets_unresolved on targets (contract_id) where status_code in ('unresolved_names', 'unresolved_rule_names');
