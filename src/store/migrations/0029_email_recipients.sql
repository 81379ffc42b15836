-- Addresses outside an org that were asked whether they want its alerts by e-mail. Members with a verified address need not be asked.
create table email_recipients (
  org_id uuid not null references orgs (id),
  email_key text not null,
  -- The hash of the token in the mailed link; a later request replaces it.
  token_hash bytea unique,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (org_id, email_key)
);

create index email_recipients_by_address on email_recipients (email_key, requested_at);

-- Recipients of channels that have delivered mails so far keep getting them.
insert into email_recipients (org_id, email_key, requested_at, expires_at, confirmed_at)
select distinct on (c.org_id, lower(trim(a.address))) c.org_id, lower(trim(a.address)), now(), now(), now()
from channels c cross join lateral jsonb_array_elements_text(c.config -> 'to') a (address)
where c.type = 'email' and c.last_success_at is not null and jsonb_typeof(c.config -> 'to') = 'array';
