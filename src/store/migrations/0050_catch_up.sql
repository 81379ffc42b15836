-- A contract whose suspended addresses can be followed again first counts what it missed (`catching_up`). It then joins the
-- others (`resuming`), and until no reorganisation can reach that point any more it may have to catch up again (`resumed`).
alter table suspended_contracts
  add column phase text not null default 'suspended'
    check (phase in ('suspended', 'catching_up', 'resuming', 'resumed')),
  -- Sentences about what could not be counted.
  add column not_counted text not null default '';
