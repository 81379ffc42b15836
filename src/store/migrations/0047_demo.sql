-- The inbox that the demo of an org notifies. Its other part is everything on the demo chain.
alter table orgs add column demo_channel_id uuid references channels (id) on delete set null;
