-- Which events the blocks of chain_blocks were scanned for: another process compares what nodes return later with it.
create table chain_scan_filters (
  chain text not null,
  filter text not null,
  -- The first topics of the events by address, or "all".
  events jsonb not null,
  primary key (chain, filter)
);
