-- A configuration change gets its number when its transaction commits. The lock that keeps the numbers in the order of the commits
-- is then never held while a process works or stands still: every org of the chain waits for it.
create function number_watch_changes() returns trigger language plpgsql as $$
begin
  -- The first call of a transaction numbers all of its changes.
  if not exists (select from watch_versions where contract_id = new.contract_id and changed = 0) then
    return null;
  end if;
  -- One order for all transactions, so that two of them do not wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('watch:' || chain, 0))
    from (select distinct chain from watch_versions where changed = 0 order by chain) unnumbered;
  update watch_versions set changed = nextval('watch_changes') where changed = 0;
  return null;
end $$;

create index watch_versions_unnumbered on watch_versions (chain) where changed = 0;
create constraint trigger watch_versions_numbered after insert or update on watch_versions
  deferrable initially deferred for each row when (new.changed = 0) execute function number_watch_changes();
