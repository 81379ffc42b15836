-- A contract of whose targets none can be measured says so.
alter table contracts drop constraint contracts_status_code_check;
alter table contracts add constraint contracts_status_code_check
  check (status_code in ('no_code', 'chain_disabled', 'suspended', 'resumed', 'unsupported_targets'));
