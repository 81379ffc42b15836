import { expect, test } from "vitest";
import { countAlerts } from "../../../src/jobs/count-alerts.ts";
import { acquireLease, moveCursor } from "../../../src/store/engine/cursors.ts";
import type { Activity } from "../../../src/wire/analytics/analytics.ts";
import { makeDice } from "../../pipeline/dice.ts";
import { harness, type Person } from "../../support/harness.ts";
import { seedOf } from "../../support/run-size.ts";
import { addContractWithRule, grant, recordEvent } from "../contracts/contract-steps.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { join, teamAdmin } from "../steps.ts";

const h = await harness();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function getActivity(
  one: Pick<Person, "client">,
  query: Record<string, string | number> = {},
): Promise<Activity> {
  const text = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const reply = await one.client.get("/analytics/activity", { query: text });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as Activity;
}

const updateCounts = () => countAlerts.run(h.app);

test("alert counts by bucket and severity are the same before, during and after the hourly roll-up", async () => {
  const seed = seedOf("SEED");
  const dice = makeDice(seed);
  const admin = await teamAdmin(h);
  const [one, two] = [
    await addContractWithRule(admin),
    await addContractWithRule(admin, { chain: "ethereum" }),
  ];
  const now = h.clock.now().getTime();
  const recorded: { at: number; severity: string; contract_id: string; id: string }[] = [];
  const add = async () => {
    const about = dice.between(0, 2 - 1) === 0 ? one : two;
    const severity = ["info", "warning", "critical"][dice.between(0, 3 - 1)] as "info";
    const at = now - dice.between(0, 3 * dayMs - 1);
    const chain_id = about === one ? "31337" : "1";
    const id = await recordEvent(h, admin.org_id, about, { fired_at: new Date(at), severity, chain_id });
    recorded.push({ at, severity, contract_id: about.contract.id, id });
  };
  for (let round = 0; round < 12; round++) {
    for (let n = 0; n < 15; n++) await add();
    if (dice.between(0, 2 - 1) === 0) await updateCounts();
    const from = now - dice.between(0, 3 * dayMs - 1) - 1;
    const to = Math.min(now + 1, from + 1 + dice.between(0, 2 * dayMs - 1));
    const filter = [{}, { contract_id: one.contract.id }, { chain_id: 1 }, { severity: "info" }][
      dice.between(0, 4 - 1)
    ];
    const bucket = ["minute", "hour", "day", "week", "month"][dice.between(0, 5 - 1)] as string;
    const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...filter };
    if (bucket === "minute" && to - from > dayMs) continue;
    const matching = recorded.filter(
      (event) =>
        event.at >= from &&
        event.at < to &&
        (!filter || !("contract_id" in filter) || event.contract_id === filter.contract_id) &&
        (!filter || !("chain_id" in filter) || event.contract_id === two.contract.id) &&
        (!filter || !("severity" in filter) || event.severity === filter.severity),
    );
    const found = await getActivity(admin, { ...query, bucket });
    const context = `seed ${seed}, round ${round}, ${JSON.stringify({ ...query, bucket })}`;
    expect([context, found.total]).toEqual([context, matching.length]);
    for (const [index, { at, counts, total }] of found.buckets.entries()) {
      const start = Date.parse(at);
      const end = Date.parse(found.buckets[index + 1]?.at ?? "9999-01-01T00:00:00Z");
      const inside = matching.filter((event) => event.at >= start && event.at < end);
      expect([context, at, total]).toEqual([context, at, inside.length]);
      expect(counts.info).toBe(inside.filter(({ severity }) => severity === "info").length);
    }
    const newest = matching.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    expect(found.items.map(({ id }) => id)).toEqual(newest.slice(0, 25));
    expect(
      (await getActivity(admin, { ...query, page: 2, page_size: 10 })).items.map(({ id }) => id),
    ).toEqual(newest.slice(10, 20));
  }
});

test("empty buckets are included, and buckets start at the boundary of their unit", async () => {
  const admin = await teamAdmin(h);
  const span = { from: "2026-03-02T12:34:56Z", to: "2026-03-30T00:00:00Z" };
  const starts = async (bucket: string) =>
    (await getActivity(admin, { ...span, bucket })).buckets.map(({ at }) => at);
  expect(await starts("week")).toEqual(["02", "09", "16", "23"].map((day) => `2026-03-${day}T00:00:00.000Z`));
  expect(await starts("month")).toEqual(["2026-03-01T00:00:00.000Z"]);
  expect(await starts("day")).toHaveLength(28);
  expect((await getActivity(admin, span)).buckets).toHaveLength(28);
});

test("the filter by status holds for counts and for every page, also for hours that are counted already", async () => {
  const admin = await teamAdmin(h);
  const about = await addContractWithRule(admin);
  const fired_at = new Date(h.clock.now().getTime() - 5 * hourMs);
  const open = await recordEvent(h, admin.org_id, about, { fired_at });
  for (let n = 0; n < 3; n++)
    await recordEvent(h, admin.org_id, about, {
      fired_at: new Date(fired_at.getTime() + n + 1),
      status: "resolved",
    });
  await updateCounts();
  const firing = await getActivity(admin, { status: "firing", page_size: 1 });
  expect(firing).toMatchObject({ total: 1, items: [{ id: open }] });
  expect(firing.buckets.reduce((sum, { total }) => sum + total, 0)).toBe(1);
  const second = await getActivity(admin, { status: "resolved", page_size: 2, page: 2 });
  expect([second.total, second.items.map(({ status }) => status)]).toEqual([3, ["resolved"]]);
});

test("alert counts follow changed and deleted alerts", async () => {
  const admin = await teamAdmin(h);
  const about = await addContractWithRule(admin);
  const id = await recordEvent(h, admin.org_id, about, { held_for: "safe" });
  await updateCounts();
  expect((await getActivity(admin)).total).toBe(0);
  await h.app.db.updateTable("alert_events").set({ held_for: null }).where("id", "=", id).execute();
  const shown = { from: new Date(h.clock.now().getTime() - 5 * hourMs).toISOString() };
  expect((await getActivity(admin, shown)).total).toBe(1);
  await updateCounts();
  expect((await getActivity(admin, shown)).total).toBe(1);
  await h.app.db.deleteFrom("alert_events").where("id", "=", id).execute();
  expect((await getActivity(admin, shown)).total).toBe(0);
  await updateCounts();
  expect((await getActivity(admin, shown)).total).toBe(0);
});

test("alerts of contracts hidden from the caller are not counted", async () => {
  const admin = await teamAdmin(h);
  const viewer = await join(h, admin, "viewer");
  await viewer.client.post(`/orgs/${admin.org_id}/switch`);
  const [seen, hidden] = [await addContractWithRule(admin), await addContractWithRule(admin)];
  await grant(admin, hidden.contract.id, admin);
  for (const about of [seen, hidden]) {
    await recordEvent(h, admin.org_id, about, { fired_at: new Date(h.clock.now().getTime() - 3 * hourMs) });
  }
  await updateCounts();
  expect((await getActivity(admin)).total).toBe(2);
  expect(await getActivity(viewer)).toMatchObject({ total: 1, items: [{ contract_id: seen.contract.id }] });
  const scoped = await makeKeyClient(h, admin, { contract_scope: [hidden.contract.id] });
  expect(await getActivity({ client: scoped })).toMatchObject({
    total: 1,
    items: [{ contract_id: hidden.contract.id }],
  });
});

test.each([
  [{ from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" }, "from"],
  [{ from: "2020-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" }, "from"],
  [{ bucket: "minute", from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z" }, "bucket"],
  [{ bucket: "fortnight" }, "bucket"],
  [{ page: "0" }, "page"],
  [{ page: "102", page_size: "100" }, "page"],
  [{ page_size: "101" }, "page_size"],
  [{ page_size: "0" }, "page_size"],
  [{ from: "yesterday" }, "from"],
  [{ severity: "loud" }, "severity"],
])("the activity query %j gets 422", async (query, field) => {
  const admin = await teamAdmin(h);
  const reply = await admin.client.get("/analytics/activity", { query });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", field] }] } });
});

test("without `to`, activity includes the alerts of a chain whose clock is ahead", async () => {
  const admin = await teamAdmin(h);
  const about = await addContractWithRule(admin);
  const ahead = new Date(h.clock.now().getTime() + 12 * 60_000);
  const id = await recordEvent(h, admin.org_id, about, { fired_at: ahead });
  expect((await getActivity(admin)).items).toEqual([]);
  const lease = await acquireLease(h.app.db, "local", admin.org_id, 0);
  const block = { height: 1, hash: "0x01", time: Math.floor(ahead.getTime() / 1000) };
  await moveCursor(h.app.db, "local", block, lease ?? { fence: 0 }, h.clock.now());
  expect(await getActivity(admin)).toMatchObject({ items: [{ id }], total: 1 });
});
