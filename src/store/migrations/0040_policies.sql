-- One definition of a target and a rule for every contract that a selector matches.
create table policies (
  id uuid primary key,
  org_id uuid not null references orgs (id) on delete cascade,
  name text not null,
  selector jsonb not null,
  target jsonb not null,
  rule jsonb not null,
  is_enabled boolean not null,
  created_by uuid references users (id),
  -- The person who last changed the policy, whose access decides which restricted contracts it is on; null for an API key.
  changed_by uuid references users (id),
  -- True if that was an admin, an API key without restrictions or the operator, who see every contract.
  is_changed_by_admin boolean not null,
  -- What was done since the last entry in the audit log.
  rules_added integer not null default 0,
  rules_updated integer not null default 0,
  rules_removed integer not null default 0,
  -- Set while the rules of a deleted policy are removed.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id)
);
create unique index policies_by_name on policies (org_id, name) where deleted_at is null;

-- The contracts of each policy. Work is what is `pending` (to be applied) or `leaving` (to be removed).
create table policy_contracts (
  policy_id uuid not null,
  contract_id uuid not null,
  org_id uuid not null,
  state text not null check (state in ('pending', 'applied', 'failed', 'leaving')),
  -- Why it failed.
  code text,
  reason text,
  primary key (policy_id, contract_id),
  foreign key (org_id, policy_id) references policies (org_id, id) on delete cascade,
  foreign key (org_id, contract_id) references contracts (org_id, id) on delete cascade
);
create index policy_contracts_by_contract on policy_contracts (contract_id);
create index policy_contracts_due on policy_contracts (org_id, contract_id) where state in ('pending', 'leaving');
create index policy_contracts_failed on policy_contracts (org_id, code) where state = 'failed';

-- Rules and targets that a policy manages. A contract has at most one rule of a policy.
alter table alert_rules add column policy_id uuid,
  add foreign key (org_id, policy_id) references policies (org_id, id) on delete set null (policy_id);
create unique index alert_rules_by_policy on alert_rules (policy_id, contract_id) where policy_id is not null;
alter table targets add column policy_id uuid,
  add foreign key (org_id, policy_id) references policies (org_id, id) on delete set null (policy_id);
create index targets_by_policy on targets (contract_id) where policy_id is not null;

-- Contracts that changed in a way that may change which policies they have. Written by triggers in the transaction of the change, so
-- that no code that changes a contract can forget to. Rows are only added and deleted, so that no change waits for another.
create table policy_marks (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  contract_id uuid not null
);
create index policy_marks_by_contract on policy_marks (org_id, contract_id);

create function mark_new_contracts() returns trigger language plpgsql as $$
begin
  insert into policy_marks (org_id, contract_id) select org_id, id from changed;
  return null;
end $$;
create trigger contracts_mark_new after insert on contracts
  referencing new table as changed for each statement execute function mark_new_contracts();

create function mark_changed_contract() returns trigger language plpgsql as $$
begin
  insert into policy_marks (org_id, contract_id) values (new.org_id, new.id);
  return null;
end $$;
-- The ABI decides which names in a rule exist.
create trigger contracts_mark_change
  after update of category, contract_type, is_restricted, abi, implementation_address on contracts for each row
  when ((old.category, old.contract_type, old.is_restricted) is distinct from (new.category, new.contract_type, new.is_restricted)
    or old.abi is distinct from new.abi or old.implementation_address is distinct from new.implementation_address)
  execute function mark_changed_contract();

create function mark_contracts_of() returns trigger language plpgsql as $$
begin
  insert into policy_marks (org_id, contract_id) select distinct org_id, contract_id from changed;
  return null;
end $$;
create trigger contract_labels_mark_new after insert on contract_labels
  referencing new table as changed for each statement execute function mark_contracts_of();
create trigger contract_labels_mark_change after update on contract_labels
  referencing new table as changed for each statement execute function mark_contracts_of();
create trigger contract_labels_mark_end after delete on contract_labels
  referencing old table as changed for each statement execute function mark_contracts_of();
create trigger contract_grants_mark_new after insert on contract_grants
  referencing new table as changed for each statement execute function mark_contracts_of();
create trigger contract_grants_mark_change after update on contract_grants
  referencing new table as changed for each statement execute function mark_contracts_of();
create trigger contract_grants_mark_end after delete on contract_grants
  referencing old table as changed for each statement execute function mark_contracts_of();

-- A target may be why a policy cannot be applied: disabled, with another config, or one too many.
create function mark_failed_contract() returns trigger language plpgsql as $$
begin
  insert into policy_marks (org_id, contract_id) select old.org_id, old.contract_id
  where exists (select 1 from policy_contracts k where k.contract_id = old.contract_id and k.state = 'failed');
  return null;
end $$;
create trigger targets_mark_change after update of is_enabled, config on targets for each row
  when (old.is_enabled is distinct from new.is_enabled or old.config is distinct from new.config)
  execute function mark_failed_contract();
create trigger targets_mark_end after delete on targets for each row execute function mark_failed_contract();

-- An admin may change restricted contracts.
create function mark_restricted_contracts() returns trigger language plpgsql as $$
begin
  insert into policy_marks (org_id, contract_id) select c.org_id, c.id from contracts c where c.org_id = old.org_id and c.is_restricted;
  return null;
end $$;
create trigger memberships_mark_change after update of role on memberships for each row
  when (old.role is distinct from new.role) execute function mark_restricted_contracts();
create trigger memberships_mark_end after delete on memberships for each row
  execute function mark_restricted_contracts();

-- A target of a policy on which a person has a rule belongs to the person from then on.
create function adopt_targets() returns trigger language plpgsql as $$
begin
  update targets t set policy_id = null from changed r
  where r.policy_id is null and t.policy_id is not null and t.contract_id = r.contract_id and (t.id = r.target_id
    or r.condition -> 'all' @> jsonb_build_array(jsonb_build_object('target_id', t.id))
    or r.condition -> 'any' @> jsonb_build_array(jsonb_build_object('target_id', t.id)));
  return null;
end $$;
create trigger alert_rules_adopt_new after insert on alert_rules
  referencing new table as changed for each statement execute function adopt_targets();
create trigger alert_rules_adopt_change after update on alert_rules
  referencing new table as changed for each statement execute function adopt_targets();
