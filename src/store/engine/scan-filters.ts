import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../open-store.ts";
import { rowParser } from "../parse-row.ts";

/** The events of a scan: their first topics by address, or all of them. */
type ScannedEvents = ReadonlyMap<string, ReadonlySet<string> | "all">;

const parseFilter = rowParser("chain_scan_filters", {
  events: z.record(z.string(), z.union([z.literal("all"), z.array(z.string())])),
});

/** Stores what blocks are scanned for, and deletes what no stored block was scanned for. */
export async function insertScanFilter(
  db: Db,
  chain: string,
  filter: string,
  events: ScannedEvents,
): Promise<void> {
  await sql`
    delete from chain_scan_filters f where chain = ${chain} and not exists (
      select 1 from chain_blocks b where b.chain = f.chain and b.scan->>'filter' = f.filter)`.execute(db);
  const stored = Object.fromEntries(
    [...events].map(([address, topics]) => [address, topics === "all" ? topics : [...topics]]),
  );
  await sql`
    insert into chain_scan_filters (chain, filter, events) values (${chain}, ${filter}, ${JSON.stringify(stored)}::jsonb)
    on conflict do nothing`.execute(db);
}

/** Returns what the stored blocks of a chain were scanned for, by the filter of their scan. */
export async function listScanFilters(db: Db, chain: string): Promise<Map<string, ScannedEvents>> {
  const rows = await db.selectFrom("chain_scan_filters").selectAll().where("chain", "=", chain).execute();
  return new Map(
    rows
      .map(parseFilter)
      .map(({ filter, events }) => [
        filter,
        new Map(
          Object.entries(events).map(([address, topics]) => [
            address,
            topics === "all" ? topics : new Set(topics),
          ]),
        ),
      ]),
  );
}
