-- The ABIs of an organisation are limited, because the engine keeps them in memory. Contracts with the same ABI share it.
alter table contracts
  add column abi_bytes integer generated always as (octet_length(abi::text)) stored,
  add column abi_hash text generated always as (md5(abi::text)) stored;
