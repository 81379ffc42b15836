-- The machine-readable reason for the status of contracts and targets. `status_reason` is the sentence for people, and no query
-- compares it.
alter table contracts add column status_code text
  check (status_code in ('no_code', 'chain_disabled', 'suspended', 'resumed'));
alter table targets add column status_code text
  check (status_code in ('unknown_type', 'unsupported_chain', 'unsupported_config', 'read_failed'));

update contracts c set status_code = case
    when exists (select 1 from unfollowed_contracts u where u.contract_id = c.id) then 'suspended'
    when status_reason like '% is switched off here.' then 'chain_disabled'
    when status_reason = 'There is no code at this address.' then 'no_code'
  end
  where status = 'ERROR';
update contracts set status_code = 'resumed' where status <> 'ERROR' and status_reason like 'Followed again from %';

update targets set status_code = case
    when status = 'error' then 'read_failed'
    when status_reason = 'This type is not known here.' then 'unknown_type'
    when status_reason like 'This type does not exist on %' then 'unsupported_chain'
    else 'unsupported_config'
  end
  where status in ('error', 'unsupported');
