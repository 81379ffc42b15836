-- The implementation of a contract from a block on; null if it has none. The newest row is valid;
-- older ones are kept while the blocks after them can be rolled back.
create table contract_code (
  contract_id uuid not null references contracts (id) on delete cascade,
  chain text not null,
  height bigint not null,
  implementation text,
  -- The beacon that names the implementation, which several proxies may share.
  beacon text,
  primary key (contract_id, height)
);
create index contract_code_by_chain on contract_code (chain, height);
insert into contract_code (contract_id, chain, height, implementation)
  select id, chain, implementation_height, implementation_address from contracts where implementation_height is not null;
alter table contracts drop column implementation_height;

-- A state is valid only for its version of the rule.
alter table rule_states add column rule_version integer not null default 0;
update rule_states s set rule_version = r.version from alert_rules r where r.id = s.rule_id;
alter table rule_states alter column rule_version drop default;

-- Incremented when a target measures something else. Each generation has its own series.
alter table targets add column generation integer not null default 1;

-- The hours whose samples changed since their roll-up. Several rows per hour are equivalent to one.
create table samples_touched (
  hour timestamptz not null
);

-- For deleting the samples of an org beyond its retention within a partition.
create index samples_minute_by_time on samples_minute using brin (at);
create index samples_hour_by_time on samples_hour using brin (at);
