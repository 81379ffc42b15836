-- A contract is suspended by the address whose transactions cannot be followed, and is checked again more and more rarely.
alter table suspended_contracts
  add column address text,
  add column attempts integer not null default 0,
  add column is_busy boolean not null default true,
  add column reason text;
update suspended_contracts s set address = c.address, reason = coalesce(c.status_reason, '')
  from contracts c where c.id = s.contract_id;
alter table suspended_contracts
  alter column address set not null,
  alter column reason set not null,
  drop constraint unfollowed_contracts_pkey,
  add primary key (contract_id, address);
