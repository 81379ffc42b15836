-- The keys that secrets are sealed with, so that a wrong key is noticed at the start and a key can be replaced while the service runs.
create table secret_keys (
  -- The key id in the header of a sealed value.
  key_id bytea primary key,
  -- A value is sealed with the active key only; a retiring one is replaced by it at the moment.
  state text not null check (state in ('active', 'retiring')),
  -- A known text, sealed with the key.
  sealed_check bytea not null,
  -- During a rotation, the other key sealed with this one: either of them is enough to start the service.
  sealed_peer bytea,
  created_at timestamptz not null
);
create unique index secret_keys_one_per_state on secret_keys (state);

-- The processes that hold keys in memory, by the clock of the database. A key is deleted only when none of them lacks the new one.
create table secret_key_holders (
  process_id uuid primary key,
  active_key_id bytea not null,
  seen_at timestamptz not null
);

-- Rejects a value that was sealed with a key that is no longer active: the rotation would miss it. The lock makes the change of the
-- active key wait for transactions that have written such a value already.
create function require_active_key(sealed bytea) returns void language plpgsql as $$
begin
  if sealed is null then return; end if;
  perform pg_advisory_xact_lock_shared(7061002);
  if exists (select 1 from secret_keys where state = 'active' and key_id <> substring(sealed from 2 for 4)) then
    raise exception 'the value is sealed with a key that is not active' using errcode = 'TS001';
  end if;
end $$;

create function require_active_key_of_channel() returns trigger language plpgsql as $$
begin perform require_active_key(new.sealed_secrets); return new; end $$;
create trigger channels_sealed before insert or update of sealed_secrets on channels
  for each row execute function require_active_key_of_channel();

create function require_active_key_of_mail() returns trigger language plpgsql as $$
begin perform require_active_key(new.sealed); return new; end $$;
create trigger mail_outbox_sealed before insert or update of sealed on mail_outbox
  for each row execute function require_active_key_of_mail();

create function require_active_key_of_reply() returns trigger language plpgsql as $$
begin perform require_active_key(new.sealed_reply); return new; end $$;
create trigger idempotency_keys_sealed before insert or update of sealed_reply on idempotency_keys
  for each row execute function require_active_key_of_reply();
