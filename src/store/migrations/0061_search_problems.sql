-- What is not followed of the token accounts of a contract, and the time since which they cannot be searched.
alter table contracts
  add column search_problem text,
  add column search_failing_since timestamptz;
create index contracts_failing_searches on contracts (id) where search_failing_since is not null;
-- People see it as the reason of the status.
drop trigger contracts_announce_change on contracts;
create trigger contracts_announce_change after update on contracts for each row
  when ((old.label, old.status, old.category, old.contract_type, old.is_proxy, old.abi_source, old.is_restricted)
      <> (new.label, new.status, new.category, new.contract_type, new.is_proxy, new.abi_source, new.is_restricted)
    or old.status_reason is distinct from new.status_reason
    or old.search_problem is distinct from new.search_problem
    or old.implementation_address is distinct from new.implementation_address
    or old.is_verified is distinct from new.is_verified)
  execute function announce_changed_contract();
