-- Every block updates these rows. With free space on their page an update is heap-only and changes no index.
alter table contracts set (fillfactor = 70);
alter table targets set (fillfactor = 70);
