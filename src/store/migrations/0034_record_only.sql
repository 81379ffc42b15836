-- A rule without a channel says that it only records. Rules whose channel was deleted are among them.
alter table alert_rules add column record_only boolean not null default false;
update alert_rules set record_only = true where channel_id is null and channel_ids = '{}';
