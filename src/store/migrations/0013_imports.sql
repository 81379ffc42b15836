-- For finding the proxies of an implementation when it changes.
create index contracts_by_implementation on contracts (org_id, chain, implementation_address)
  where implementation_address is not null;
-- For finding contracts of earlier imports.
create index contracts_by_external_ref on contracts (org_id, external_ref) where external_ref is not null;
create index alert_rules_by_external_ref on alert_rules (org_id, external_ref) where external_ref is not null;
