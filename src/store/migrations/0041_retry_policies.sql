-- The window of a rule must hold at least two readings at the interval of the org, which its tier limits: a policy that could not be
-- applied may fit after a change of either.
create function mark_contracts_of_failed_policies() returns trigger language plpgsql as $$
begin
  insert into policy_marks (org_id, contract_id) select distinct k.org_id, k.contract_id from policy_contracts k
  where k.org_id = new.id and k.state = 'failed' and k.code = 'invalid';
  return null;
end $$;
create trigger orgs_mark_interval after update of tier, polling_interval_seconds on orgs for each row
  when ((old.tier, old.polling_interval_seconds) is distinct from (new.tier, new.polling_interval_seconds))
  execute function mark_contracts_of_failed_policies();
