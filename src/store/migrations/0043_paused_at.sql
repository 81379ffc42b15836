-- A pause ends monitoring with the block at which it was made: an engine that is behind still processes the blocks before it.
alter table contracts add column paused_at timestamptz;
