-- The time of the next inspection of a contract; null if none is planned.
alter table contracts add column inspect_at timestamptz default 'epoch';
alter table contracts add column inspections integer not null default 0;
-- True if a person chose the category, which inspections then keep.
alter table contracts add column is_category_chosen boolean not null default false;
create index contracts_to_inspect on contracts (inspect_at) where inspect_at is not null;

-- New code may have another type and ABI. An inspection sets both together and needs no other.
create function inspect_new_code() returns trigger language plpgsql as $$
begin
  new.inspect_at := 'epoch';
  new.inspections := 0;
  return new;
end $$;
create trigger contracts_inspect_new_code before update on contracts for each row
  when (old.implementation_address is distinct from new.implementation_address
    and new.implementation_address is not null
    and old.inspect_at is not distinct from new.inspect_at)
  execute function inspect_new_code();
