-- What inspections learned of a contract that templates follow. Null before its first inspection.
alter table contracts add column profile jsonb;

-- Contracts that were inspected before have no profile: they are inspected again, spread over an hour.
update contracts set inspect_at = now() + random() * interval '1 hour'
  where inspections > 0 and chain not like 'solana%' and status_code is distinct from 'no_code';
