-- The readings of one group of a rule, of which a rule may have more than fit into memory.
create index samples_by_group on samples (series_id, (evidence ->> 'group'), at) where (evidence ->> 'group') is not null;
