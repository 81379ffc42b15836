-- The ABIs of an organisation are limited, because the engine keeps them in memory. Contracts with the same ABI share it.
-- Generated columns would be computed at every update of a contract, because it has another trigger before updates.
alter table contracts
  add column abi_bytes integer generated always as (octet_length(abi::text)) stored,
  add column abi_hash text generated always as (md5(abi::text)) stored;
alter table contracts alter column abi_bytes drop expression, alter column abi_hash drop expression;

create function measure_abi() returns trigger language plpgsql as $$
declare
  abi_text text := new.abi::text;
begin
  new.abi_bytes := octet_length(abi_text);
  new.abi_hash := md5(abi_text);
  return new;
end $$;
create trigger contracts_measure_abi before insert or update of abi on contracts
  for each row execute function measure_abi();
