-- Which code stands behind a contract from a block on; nulls where it was looked and there is none. The newest row counts;
-- older ones are kept while their successors' blocks can still be rolled back.
create table contract_code (
  contract_id uuid not null references contracts (id) on delete cascade,
  chain text not null,
  height bigint not null,
  implementation text,
  -- Names the implementation, where several proxies share one.
  beacon text,
  primary key (contract_id, height)
);
create index contract_code_by_chain on contract_code (chain, height);
insert into contract_code (contract_id, chain, height, implementation)
  select id, chain, implementation_height, implementation_address from contracts where implementation_height is not null;
alter table contracts drop column implementation_height;

-- A state counts only for the version of the rule that it was found with.
alter table rule_states add column rule_version integer not null default 0;
update rule_states s set rule_version = r.version from alert_rules r where r.id = s.rule_id;
alter table rule_states alter column rule_version drop default;

-- Grows when a target comes to measure something else; each generation has a series of its own.
alter table targets add column generation integer not null default 1;

-- The hours whose samples changed since they were last summed up. Several rows for an hour are the same as one.
create table samples_touched (
  hour timestamptz not null
);

-- To find what is older than an org may look back, within a partition.
create index samples_minute_by_time on samples_minute using brin (at);
create index samples_hour_by_time on samples_hour using brin (at);
