-- Rows that every block changes: with room on their page the new version stays beside the old, and no index has to hear of it.
alter table contracts set (fillfactor = 70);
alter table targets set (fillfactor = 70);
