import { sql } from "kysely";
import { expect, test } from "vitest";
import { cloneDatabase } from "../support/database.ts";
import { harness } from "../support/harness.ts";

const token = "a token for the tests";
const plain = await harness();
const behind = await harness();
const address = await cloneDatabase();
const cut = await harness({ address });
const measured = await harness({ env: { METRICS_TOKEN: token } });

const bearer = (value: string) => ({ headers: { authorization: value } });

test("the health and readiness probes return ok", async () => {
  for (const path of ["//healthz", "//readyz"]) {
    const reply = await plain.anonymous().get(path);
    expect(reply).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(reply.headers).toMatchObject({ "cache-control": "no-store", "x-request-id": expect.any(String) });
  }
});

test("the metrics endpoint gets 404 unless a token is configured", async () => {
  const reply = await plain.anonymous().get("//metrics", bearer(`Bearer ${token}`));
  expect(reply).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test.each(["", token, "Bearer", "Bearer wrong", `Bearer ${token} `, `bearer ${token}x`, `Basic ${token}`])(
  "metrics with the Authorization header %j get 401",
  async (value) => {
    const reply = await measured.anonymous().get("//metrics", bearer(value));
    expect(reply).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(reply.text).not.toContain("tocsin_http");
  },
);

test("metrics count replies by operation and status and contain no path, user or token", async () => {
  const ada = await measured.signUp("ada");
  await ada.client.get("/orgs");
  await ada.client.get("/orgs");
  await ada.client.get("/invites/very-secret-token");
  await ada.client.get("/no/such/path/very-secret-token");
  await ada.client.get("/very-secret-token%zz");
  const { status, text, headers } = await measured.anonymous().get("//metrics", bearer(`Bearer ${token}`));
  expect([status, headers["content-type"]]).toEqual([200, expect.stringContaining("text/plain")]);
  expect(text).toContain('tocsin_http_requests_total{operation="listOrgs",status="200",process="all"} 2');
  expect(text).toContain('tocsin_http_requests_total{operation="signUp",status="200",process="all"} 1');
  expect(text).toContain(
    'tocsin_http_requests_total{operation="previewInvite",status="404",process="all"} 1',
  );
  expect(text).toMatch(/tocsin_http_requests_total\{operation="none",status="404",process="all"\} 1/);
  expect(text).toMatch(/tocsin_http_requests_total\{operation="none",status="400",process="all"\} 1/);
  expect(text).toMatch(
    /tocsin_http_request_duration_seconds_bucket\{le="5",operation="listOrgs",process="all"\} 2/,
  );
  expect(text).toContain("process_cpu_seconds_total");
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds\{process="all"\} \d/m);
  expect(text).toMatch(/^tocsin_worker_tasks\{state="queued",process="all"\} 0$/m);
  expect(text).not.toMatch(/very-secret|example\.com/);
});

test("a service without its database is alive but not ready, until the database is back", async () => {
  const database = "database" in address ? address.database : "";
  const ready = () => cut.anonymous().get("//readyz");
  expect((await ready()).status).toBe(200);

  await sql`alter database ${sql.id(database)} allow_connections false`.execute(plain.app.db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`.execute(
    plain.app.db,
  );
  const reply = await ready();
  expect(reply).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  expect(reply.text).not.toContain(database);
  expect((await cut.anonymous().get("//healthz")).status).toBe(200);

  await sql`alter database ${sql.id(database)} allow_connections true`.execute(plain.app.db);
  expect((await ready()).status).toBe(200);
});

test("a service whose database lacks a migration is not ready", async () => {
  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(
    behind.app.db,
  );
  expect(await behind.anonymous().get("//readyz")).toMatchObject({
    status: 503,
    body: { code: "unavailable" },
  });
});
