import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Db } from "../../src/store/open-store.ts";

const tables = ["chain_cursors", "chain_blocks", "contract_code", "samples", "rule_states", "alert_events"];

/** Records every change of the tables that the engine writes, with its transaction, so that a difference can be traced. */
export async function startJournal(db: Db): Promise<void> {
  await sql`
    create table crash_journal (
      id bigserial primary key, tx bigint not null default txid_current(), at timestamptz not null default clock_timestamp(),
      changed text not null, action text not null, row jsonb not null)`.execute(db);
  await sql`
    create function record_change() returns trigger language plpgsql as $$ begin
      insert into crash_journal (changed, action, row)
      values (tg_argv[0], lower(tg_op), to_jsonb(coalesce(new, old)) - 'explanation' - 'message');
      return null;
    end $$`.execute(db);
  for (const table of tables) {
    await sql`
      create trigger record_change after insert or update or delete on ${sql.table(table)}
      for each row execute function record_change(${sql.lit(table)})`.execute(db);
  }
}

/** Writes the journal to a file outside the world, one change per line, and returns its path. */
export async function saveJournal(db: Db): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', tx, to_char(at, 'HH24:MI:SS.MS'), changed, action, row) as line
    from crash_journal order by id`.execute(db);
  const path = join(await mkdtemp(join(tmpdir(), "tocsin-crash-journal-")), "journal.txt");
  await writeFile(path, rows.map(({ line }) => line).join("\n"));
  return path;
}
