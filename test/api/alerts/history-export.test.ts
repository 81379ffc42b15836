import http from "node:http";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { harness, type Person } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { addContractWithRule, grant, recordEvent } from "../contracts/contract-steps.ts";
import { makeKey } from "../orgs/keys.ts";
import { join, teamAdmin } from "../steps.ts";

const h = await harness();
const url = await h.server.listen({ port: 0, host: "127.0.0.1" });

async function enterpriseAdmin() {
  const owner = await h.personOn("enterprise");
  return { owner, ...(await addContractWithRule(owner, { label: "Vault, main" })) };
}

const rowsOf = (text: string) => text.split("\r\n").slice(0, -1);
const idsOf = (text: string) =>
  rowsOf(text)
    .slice(1)
    .map((row) => row.split(",")[0]);
const exported = async ({ client }: Person, query: Record<string, string> = {}) =>
  client.get("/alerts/history.csv", { query });

test("the export is a CSV file with a header row and the events of the history in its order", async () => {
  const { owner, ...about } = await enterpriseAdmin();
  const named = await recordEvent(h, owner.org_id, about, { title: '=HYPERLINK("evil")', value: -2.5 });
  const old = await recordEvent(h, owner.org_id, about, { fired_at: new Date(0), severity: "info" });
  const { status, headers, text } = await exported(owner);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(headers["content-disposition"]).toBe('attachment; filename="alerts.csv"');
  expect(rowsOf(text)[0]).toMatch(/^id,kind,status,severity,fired_at,/);
  expect(idsOf(text)).toEqual([named, old]);
  expect(rowsOf(text)[1]).toContain(`,"Vault, main",local,tx_rate,"'=HYPERLINK(""evil"")",`);
  expect(rowsOf(text)[1]).toContain(",-2.5,gt,1,");
  expect(idsOf((await exported(owner, { severity: "info" })).text)).toEqual([old]);
  expect(idsOf((await exported(owner, { status: "resolved" })).text)).toEqual([]);
  expect((await exported(owner, { limit: "1" })).status).toBe(422);
});

test("the export of a long history has each event once", async () => {
  const { owner, ...about } = await enterpriseAdmin();
  const first = await recordEvent(h, owner.org_id, about);
  await copyEvent(first, 1_234);
  const ids = idsOf((await exported(owner)).text);
  expect([ids.length, new Set(ids).size]).toEqual([1_235, 1_235]);
});

longTest("a client that does not read keeps the rest of the history in the database", async () => {
  const { owner, ...about } = await enterpriseAdmin();
  const message = "x".repeat(20_000);
  const events = 2_000;
  await copyEvent(await recordEvent(h, owner.org_id, about, { message }), events);
  let queries = 0;
  const count = () => queries++;
  const pages = events / 500;
  const cookie = [...owner.client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  // Reading the session needs connections too.
  h.app.pool.on("acquire", count);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .get(`${url}/api/v1/alerts/history.csv`, { headers: { cookie }, agent: false }, resolve)
      .on("error", reject);
  });
  expect(response.statusCode).toBe(200);
  // The socket is full after the first pages of ten megabytes, so that no further one is read.
  expect(await untilStable(() => queries)).toBeLessThan(pages);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  h.app.pool.off("acquire", count);
  expect(bytes).toBeGreaterThan(events * message.length);
  expect(queries).toBeGreaterThanOrEqual(pages);
});

const headersOf = ({ client }: Person) => ({
  cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
});

/** Changes something after a download was authorised, before its first page is read. */
async function downloadWhile(headers: Record<string, string>, change: () => Promise<unknown>) {
  const downloading = await h.app.db.transaction().execute(async (tx) => {
    await sql`lock table alert_events in access exclusive mode`.execute(tx);
    const request = fetch(`${url}/api/v1/alerts/history.csv`, { headers });
    await expect.poll(waitingForLock).toBe(true);
    await change();
    // A promise would be awaited before the lock is released.
    return { request };
  });
  return (await downloading.request).text();
}

async function waitingForLock(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    h.app.db,
  );
  return rows.length > 0;
}

test("a download ends when the membership, the session or the key of its reader ends", async () => {
  const admin = await teamAdmin(h);
  await copyEvent(await recordEvent(h, admin.org_id, await addContractWithRule(admin)), 600);
  const [removed, loggedOut] = [await join(h, admin, "member"), await join(h, admin, "member")];
  for (const { client } of [removed, loggedOut]) await client.post(`/orgs/${admin.org_id}/switch`);
  const revoked = await makeKey(admin);
  const endings: [Record<string, string>, () => Promise<unknown>][] = [
    [headersOf(removed), () => admin.client.delete(`/orgs/${admin.org_id}/members/${removed.user.id}`)],
    [headersOf(loggedOut), () => loggedOut.client.post("/auth/logout")],
    [{ authorization: `Bearer ${revoked.key}` }, () => admin.client.delete(`/api-keys/${revoked.id}`)],
  ];
  for (const [headers, end] of endings) await expect(downloadWhile(headers, end)).rejects.toThrow();
  const whole = await downloadWhile(headersOf(admin), async () => undefined);
  expect(idsOf(whole)).toHaveLength(601);
});

test("a download of an admin who becomes a member goes on without the contracts that a member cannot see", async () => {
  const admin = await teamAdmin(h);
  const other = await join(h, admin, "admin");
  await other.client.post(`/orgs/${admin.org_id}/switch`);
  const about = await addContractWithRule(admin);
  await grant(admin, about.contract.id, admin);
  await copyEvent(await recordEvent(h, admin.org_id, about), 600);
  const path = `/orgs/${admin.org_id}/members/${other.user.id}`;
  const text = await downloadWhile(headersOf(other), () => admin.client.patch(path, { role: "member" }));
  expect(idsOf(text)).toHaveLength(500);
});

/** Copies an event with new ids. */
async function copyEvent(id: string, times: number): Promise<void> {
  await sql`
    insert into alert_events
    select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'observation', n::text))).*
    from alert_events e, generate_series(1, ${times}::int) n where e.id = ${id}`.execute(h.app.db);
}

async function untilStable(read: () => number): Promise<number> {
  for (let before = read(); ; before = read()) {
    await h.clock.sleep(100);
    if (read() === before) return before;
  }
}
