import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Block } from "../../src/chains/block.ts";
import { raiseSystemAlerts } from "../../src/domain/alerts/system-alerts.ts";
import { recordHead } from "../../src/store/engine/cursors.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { ServiceStatus } from "../../src/wire/analytics/service-status.ts";
import { harness } from "../support/harness.ts";
import { emits, makeWorld, transferSignature } from "./world.ts";

const h = await harness({
  env: { RPC_LOCAL: "http://127.0.0.1:1", RPC_ETHEREUM: "", STAFF_EMAIL: "staff@example.com" },
});
const world = await makeWorld({ harness: h });
const otherAddress = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const target = { target_type: "native_balance" };
const nowSeconds = () => Math.floor(h.clock.now().getTime() / 1000);

const isOfChain = (event: AlertEvent) => event.target_type === "chain";
const isSilence = (event: AlertEvent) => event.kind === "no_data";

test("a stalled chain raises one system alert per org, which resolves when the chain moves", async () => {
  const other = await h.person("elsewhere");
  await world.watch(target);
  await world.catchUp();
  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await h.runJobs();
  expect(await world.events()).toEqual([]);
  await recordHead(h.app.db, "local", { last_error: "Node 1 of 1 refused the connection." });
  h.clock.advance(900);
  await h.runJobs();
  h.clock.advance(60);
  await h.runJobs();
  expect((await world.owner.client.get("/alerts/history")).text).toContain("Node 1 of 1 refused");
  expect((await (await h.staff()).get("/admin/chains")).text).toContain("Node 1 of 1 refused");
  const stalled = (await world.events()).filter((event) => event.target_type === "chain");
  expect(stalled).toMatchObject([{ kind: "error", status: "firing", chain: "local", severity: "critical" }]);
  expect((await other.client.get("/alerts/history")).body).toEqual([]);
  const status = await h.anonymous().get("/status");
  expect(status.body).toMatchObject({ status: "down", chains: [{ chain: "local", state: "stalled" }] });

  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await h.runJobs();
  const after = (await world.events()).filter((event) => event.target_type === "chain");
  expect(after).toMatchObject([{ status: "resolved" }]);
  expect((await h.anonymous().get("/status")).body).toMatchObject({ status: "ok" });
});

test("a target without data raises a system alert with the reason", async () => {
  world.chain.failure = "execution reverted";
  h.clock.advance(3600);
  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await h.runJobs();
  const silent = (await world.events()).filter((event) => event.kind === "no_data");
  expect(silent).toMatchObject([{ status: "firing", target_type: "native_balance" }]);
  expect(silent[0]?.message).toContain("execution reverted");

  world.chain.failure = undefined;
  world.chain.mine([], { time: nowSeconds() + 60 });
  await world.catchUp();
  await h.runJobs();
  expect((await world.events()).filter((event) => event.kind === "no_data")).toMatchObject([
    { status: "resolved" },
  ]);
});

test("a chain whose nodes stay away is one system alert, with the reason, until they reply", async () => {
  const since = (await world.events()).length;
  await recordHead(h.app.db, "local", { last_error: "The chain could not be read: a node timed out." });
  for (const seconds of [3600, 600, 60]) {
    h.clock.advance(seconds);
    await h.runJobs();
  }
  const stalled = (await world.events()).slice(0, -since).filter(isOfChain);
  expect(stalled).toMatchObject([{ status: "firing", message: expect.stringContaining("a node timed out") }]);
  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await h.runJobs();
  expect((await world.events()).filter(isOfChain)[0]).toMatchObject({
    id: stalled[0]?.id,
    status: "resolved",
  });
});

test("an idle development chain raises no alert, neither about the chain nor about its targets", async () => {
  const since = (await world.events()).length;
  for (let hours = 0; hours < 3; hours++) {
    h.clock.advance(3600);
    await world.catchUp();
    await h.runJobs();
  }
  expect((await world.events()).slice(0, -since)).toEqual([]);
});

test("a target's system alert stays open while its chain is stalled, and is raised again after a pause", async () => {
  world.chain.failure = "execution reverted";
  h.clock.advance(3600);
  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await h.runJobs();
  const [silent] = (await world.events()).filter(isSilence);
  expect(silent).toMatchObject({ status: "firing" });

  h.clock.advance(900);
  await h.runJobs();
  expect((await world.events()).filter(isOfChain)[0]).toMatchObject({ status: "firing" });
  expect((await world.events()).find(({ id }) => id === silent?.id)).toMatchObject({ status: "firing" });

  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await world.owner.client.post(`/contracts/${silent?.contract_id}/pause`);
  await h.runJobs();
  expect((await world.events()).find(({ id }) => id === silent?.id)).toMatchObject({ status: "resolved" });
  await world.owner.client.post(`/contracts/${silent?.contract_id}/resume`);
  await h.runJobs();
  const [again] = (await world.events()).filter(isSilence);
  expect(again).toMatchObject({ status: "firing" });
  expect(again?.id).not.toBe(silent?.id);
  world.chain.failure = undefined;
  world.chain.mine([], { time: nowSeconds() + 60 });
  await world.catchUp();
  await h.runJobs();
});

test("staff get one mail per reorganisation beyond the finality depth, and can clear it", async () => {
  const staff = await h.staff();
  const mails = () =>
    h.mails.filter((mail) => mail.to === "staff@example.com" && mail.subject.includes("local"));
  const goBackTo = async (base: Block, salt: number) => {
    for (let blocks = 0; blocks < 6; blocks++)
      world.chain.mine([], { time: nowSeconds(), salt, ...(blocks === 0 && { on: base }) });
    await world.catchUp();
  };
  const base = world.chain.tip;
  for (let blocks = 0; blocks < 5; blocks++) world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await goBackTo(base, 9);
  expect((await h.anonymous().get("/status")).body).toMatchObject({
    status: "degraded",
    chains: [{ state: "degraded" }],
  });
  for (let times = 0; times < 3; times++) await h.runJobs();
  expect(mails()).toHaveLength(1);
  const later = world.chain.mine([], { time: nowSeconds() });
  await goBackTo(later, 10);
  await goBackTo(later, 11);
  for (let times = 0; times < 3; times++) await h.runJobs();
  expect(mails()).toHaveLength(2);
  expect((await staff.patch("/admin/chains/local", { is_enabled: true })).status).toBe(200);
  expect((await h.anonymous().get("/status")).body).toMatchObject({ status: "ok" });
});

test("the detection delay is shown for each chain", async () => {
  const detected = async () =>
    ((await h.anonymous().get("/status")).body as ServiceStatus).chains[0]?.detection;
  expect(await detected()).toEqual({ p50_ms: null, p95_ms: null });
  const events = { target_type: "event_frequency", config: { event_signature: transferSignature } };
  await world.rule(await world.watch(events, otherAddress), {
    operator: "gte",
    threshold: 1,
    window_seconds: 60,
  });
  await world.catchUp();
  h.clock.advance(120);
  world.chain.mine([{ ...emits(1), to: otherAddress }], { time: nowSeconds() - 20 });
  await world.catchUp();
  const took = await detected();
  expect(took?.p95_ms).toBeGreaterThanOrEqual(19_000);
  expect(took?.p50_ms).toBeLessThan(120_000);
});

test("a chain that was never read raises a system alert until it can be read", async () => {
  for (const table of ["chain_cursors", "chain_blocks"] as const) await h.app.db.deleteFrom(table).execute();
  await world.restart();
  h.clock.advance(900);
  await h.runJobs();
  const [unread] = (await world.events()).filter(isOfChain);
  expect(unread).toMatchObject({ kind: "error", status: "firing", chain: "local" });
  expect(unread?.message).toContain("No block");
  world.chain.mine([], { time: nowSeconds() });
  await world.catchUp();
  await h.runJobs();
  expect((await world.events()).filter(isOfChain)[0]).toMatchObject({ id: unread?.id, status: "resolved" });
});

test("thousands of targets without data raise one system alert each, with several processes", async () => {
  const [contract] = (await world.owner.client.get("/contracts")).body as { id: string }[];
  const long = new Date(h.clock.now().getTime() - 3_600_000);
  await sql`
    insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, is_enabled, status, created_at, updated_at)
    select gen_random_uuid(), ${world.owner.org_id}, ${contract?.id}, 'view_function', 'reading ' || n, '{}', false, true, 'ok',
      ${long}, ${long} from generate_series(1, 3000) n`.execute(h.app.db);
  await Promise.all([1, 2, 3].map(() => raiseSystemAlerts(h.app)));
  const { total } = await h.app.db
    .selectFrom("alert_events")
    .select(({ fn }) => fn.countAll<string>().as("total"))
    .where("target_type", "=", "view_function")
    .where("status", "=", "firing")
    .executeTakeFirstOrThrow();
  expect(Number(total)).toBe(3000);
});
