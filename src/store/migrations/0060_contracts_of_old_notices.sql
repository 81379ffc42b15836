-- Up to version 0057, processes insert rows without the contract, also while an upgrade is under way. Without the contract, a
-- message would be visible to everybody after its alert has expired.
create function set_contract_of_delivery_notice() returns trigger language plpgsql as $$
begin
  select contract_id into new.contract_id from alert_events where id = new.event_id;
  return new;
end $$;
create trigger delivery_notices_set_contract before insert on delivery_notices
  for each row when (new.contract_id is null) execute function set_contract_of_delivery_notice();

update delivery_notices notice set contract_id = event.contract_id
from alert_events event where notice.contract_id is null and event.id = notice.event_id;
