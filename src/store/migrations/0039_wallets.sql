-- True once code was found at the address: only then is its absence a problem.
alter table contracts add column code_seen boolean not null default false;
update contracts set code_seen = true
  where is_proxy or abi_source in ('registry', 'bytecode') or contract_type <> 'unknown';

-- An address without code was an error; it is inspected again as a wallet.
update contracts set inspect_at = now() where status_code = 'no_code';
-- Whether code is still there is checked once a day from now on.
update contracts set inspect_at = now() + random() * interval '24 hours'
  where inspect_at is null and code_seen and chain not like 'solana%';

alter table targets drop constraint targets_status_code_check;
alter table targets add constraint targets_status_code_check
  check (status_code in ('unknown_type', 'unsupported_chain', 'unsupported_config', 'needs_code', 'read_failed'));
