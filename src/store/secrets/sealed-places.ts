import { type RawBuilder, sql } from "kysely";
import type { Db } from "../open-store.ts";

/** The authenticated context of each kind of sealed value: it cannot be opened in another row. */
export const sealedContext = {
  channel: (id: string) => `channel:${id}`,
  mail: (id: string) => `mail:${id}`,
  reply: (principal: string, key: string) => `idempotency:${principal}:${key}`,
};

/** A column with sealed values. */
export type SealedPlace = {
  table: string;
  column: string;
  /** The columns of the primary key, with their type. */
  key: readonly (readonly [column: string, type: "uuid" | "text"])[];
  context(id: string[]): string;
};

/** Every column with sealed values. A new one is added here, with a trigger as in migration 0028. */
export const sealedPlaces: readonly SealedPlace[] = [
  {
    table: "channels",
    column: "sealed_secrets",
    key: [["id", "uuid"]],
    context: ([id = ""]) => sealedContext.channel(id),
  },
  {
    table: "mail_outbox",
    column: "sealed",
    key: [["id", "uuid"]],
    context: ([id = ""]) => sealedContext.mail(id),
  },
  {
    table: "idempotency_keys",
    column: "sealed_reply",
    key: [
      ["principal", "text"],
      ["key", "text"],
    ],
    context: ([principal = "", key = ""]) => sealedContext.reply(principal, key),
  },
];

/** A sealed value with the primary key of its row. */
export type SealedValue = { id: string[]; sealed: Buffer };

/** True when a key was registered or something is sealed. */
export async function hasSecrets(db: Db): Promise<boolean> {
  const isSealed = sealedPlaces.map(
    ({ table, column }) =>
      sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} is not null)`,
  );
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from secret_keys) or ${sql.join(isSealed, sql` or `)} as found`.execute(db);
  return rows[0]?.found === true;
}

/** Counts sealed values by the id of their key, as hex. */
export async function countByKey(db: Db): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const place of sealedPlaces) {
    const { rows } = await sql<{ key_id: Buffer; total: string }>`
      select ${keyIdOf(place)} as key_id, count(*) as total from ${sql.table(place.table)}
      where ${sql.ref(place.column)} is not null group by 1`.execute(db);
    for (const { key_id, total } of rows) {
      const name = key_id.toString("hex");
      totals.set(name, (totals.get(name) ?? 0) + Number(total));
    }
  }
  return totals;
}

/** Lists up to `limit` values that are sealed with a key, in the order of the primary key after `after`. */
export async function listSealedWith(
  db: Db,
  place: SealedPlace,
  key_id: Buffer,
  page: { after?: string[]; limit: number },
): Promise<SealedValue[]> {
  const names = sql.join(place.key.map(([column]) => sql.ref(column)));
  const isAfter = page.after ? sql`and (${names}) > (${values(place, page.after)})` : sql``;
  const { rows } = await sql<SealedValue>`
    select array[${sql.join(place.key.map(([column]) => sql`${sql.ref(column)}::text`))}] as id,
      ${sql.ref(place.column)} as sealed
    from ${sql.table(place.table)} where ${keyIdOf(place)} = ${key_id} ${isAfter}
    order by ${names} limit ${page.limit}`.execute(db);
  return rows;
}

/** Replaces a sealed value, unless it was changed since it was read. */
export async function replaceSealed(
  db: Db,
  place: SealedPlace,
  { id, sealed }: SealedValue,
  next: Buffer,
): Promise<void> {
  const names = sql.join(place.key.map(([column]) => sql.ref(column)));
  await sql`
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${next}
    where (${names}) = (${values(place, id)}) and ${sql.ref(place.column)} = ${sealed}`.execute(db);
}

function keyIdOf({ column }: SealedPlace): RawBuilder<Buffer> {
  return sql`substring(${sql.ref(column)} from 2 for 4)`;
}

function values({ key }: SealedPlace, id: string[]): RawBuilder<unknown> {
  return sql.join(key.map(([, type], index) => sql`${id[index]}::${sql.raw(type)}`));
}
