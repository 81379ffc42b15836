import { sql } from "kysely";
import { expect } from "vitest";
import { updateUser } from "../../src/store/accounts/users.ts";
import { insertMember } from "../../src/store/orgs/members.ts";
import type { Invite } from "../../src/wire/orgs/invites.ts";
import type { Role } from "../../src/wire/primitives.ts";
import type { Client, Reply } from "../support/client.ts";
import type { Harness, Person } from "../support/harness.ts";

export const hour = 60 * 60;
export const day = 24 * hour;

/** An id that does not exist. */
export const unknownId = "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42";

/** The shape of an error reply, for `toMatchObject`. */
export function errorReply(status: number, code: string) {
  return { status, body: { code, detail: expect.any(String) } };
}

/** Invites an address and returns the token of the link, which the reply contains if there is no SMTP server. */
export async function invite(admin: Person, email: string, role: Role = "member"): Promise<string> {
  const reply = await admin.client.post(`/orgs/${admin.org_id}/invites`, { email, role });
  if (reply.status !== 201) throw new Error(`the invite failed: ${reply.text}`);
  return tokenIn((reply.body as Invite).invite_url ?? "");
}

/** Creates a user and adds them to an org as the acceptance of an invite does. */
export async function join({ app, person }: Harness, admin: Person, role: Role): Promise<Person> {
  const member = await person(role);
  const { id } = member.user;
  await insertMember(app.db, admin.org_id, { user_id: id, role, joined_at: app.clock.now() });
  await updateUser(app.db, id, { active_org_id: admin.org_id });
  return member;
}

/** An org of the Team tier with its first admin. */
export function teamAdmin(h: Harness): Promise<Person> {
  return h.personOn("team", "admin");
}

/** The token at the end of a mailed link. */
export function tokenIn(link: string): string {
  return link.split("#")[1] ?? "";
}

/** Every row of every table as text, by table. */
export async function dump(h: Harness): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(h.app.db);
  const entries = tables.rows.map(async ({ name }) => {
    const { rows } = await sql<{ line: string }>`
      select t::text as line from ${sql.table(name)} t order by 1`.execute(h.app.db);
    return [name, rows.map((row) => row.line)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The number of rows of each table. */
export async function counts(h: Harness): Promise<Record<string, number>> {
  const tables = await dump(h);
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]));
}

/** Resolves once `count` statements of the database wait for a lock, or once `request` has completed. */
export async function untilLockWait(h: Harness, request?: Promise<unknown>, count = 1): Promise<void> {
  let isComplete = false;
  const complete = () => {
    isComplete = true;
  };
  request?.then(complete, complete);
  const waiting = sql<{ total: number }>`
    select count(*)::int as total from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while (!isComplete && ((await waiting.execute(h.app.db)).rows[0]?.total ?? 0) < count);
}

/** Sends the same request from each client concurrently. */
export function sendConcurrently(
  clients: Client[],
  send: (client: Client) => Promise<Reply>,
): Promise<Reply[]> {
  return Promise.all(clients.map(send));
}

/** The number of replies per status. */
export function countByStatus(replies: Reply[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { status } of replies) found[status] = (found[status] ?? 0) + 1;
  return found;
}
