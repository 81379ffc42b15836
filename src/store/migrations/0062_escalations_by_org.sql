-- Orgs take turns with the steps that are due.
create index escalations_by_org on escalations (org_id, due_at);
drop index escalations_due;
