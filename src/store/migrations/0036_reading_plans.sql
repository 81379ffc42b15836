-- The scan for events that produced a block: the set of events that was read, and those found.
alter table chain_blocks add column scan jsonb;

-- What the steps of a chain read, how often it is polled, and what that costs.
alter table chain_cursors add column reading jsonb;

-- Calls to the endpoints of chains by day (UTC). The endpoint is its position in the settings.
create table rpc_calls (
  chain text not null,
  day date not null,
  endpoint integer not null,
  host text not null,
  method text not null,
  calls bigint not null,
  primary key (chain, day, endpoint, host, method)
);
