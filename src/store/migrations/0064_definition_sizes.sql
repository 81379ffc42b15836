-- A large value is stored as it is, so that `pg_column_size` is its size: the engine reads definitions in pages of limited size.
alter table targets alter column config set storage external;
alter table alert_rules alter column condition set storage external;
