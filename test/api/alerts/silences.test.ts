import { describe, expect, test } from "vitest";
import { fanOutUnmuted } from "../../../src/delivery/fan-out.ts";
import { RoundRobin } from "../../../src/delivery/pick-lanes.ts";
import { lockOrgs } from "../../../src/store/delivery/fan-out.ts";
import type { Silence } from "../../../src/wire/alerts/silences.ts";
import { fire, type Household, makeWorld, notify, settleEvent } from "../../delivery/world.ts";
import { addContract, freshId, grant } from "../contracts/contract-steps.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { errorReply, hour, join } from "../steps.ts";

const world = await makeWorld();
const { h, sink } = world;

async function homeWith(path: string) {
  const home = await world.household();
  await home.setChannels(home.rule, await home.channel(path));
  return home;
}

const inSeconds = (seconds: number) => new Date(h.clock.now().getTime() + seconds * 1000).toISOString();

async function silence(home: Pick<Household, "owner">, match: object, more: object = {}): Promise<Silence> {
  const body = { ...match, reason: "Planned work", ends_at: inSeconds(hour), ...more };
  const reply = await home.owner.client.post("/silences", body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body as Silence;
}

const kindsAt = (path: string) => sink.at(path).map(({ kind }) => kind);

describe("a silence", () => {
  const matching: [name: string, isSilent: boolean, match: (home: Household) => object][] = [
    ["for everything", true, () => ({ all: true })],
    ["for the contract", true, ({ contract }) => ({ contract_id: contract.id })],
    ["for the severity", true, () => ({ severity: "critical" })],
    ["for a label", true, () => ({ label: "Treasury" })],
    ["for a label with its key", true, () => ({ label: "team:treasury" })],
    ["for a label and a severity", true, () => ({ label: "treasury", severity: "critical" })],
    ["for another severity", false, () => ({ severity: "info" })],
    ["for another label", false, () => ({ label: "bridge" })],
    ["for the label and another severity", false, () => ({ label: "treasury", severity: "info" })],
    ["that has not started", false, () => ({ all: true, starts_at: inSeconds(60) })],
  ];

  test.each(matching)("%s suppresses notifications: %s", async (name, isSilent, match) => {
    const path = `/${name.replaceAll(" ", "-")}`;
    const home = await homeWith(path);
    await home.owner.client.post(`/contracts/${home.contract.id}/labels`, { key: "team", value: "treasury" });
    const { id } = await silence(home, match(home as Household));
    const event = await fire(world, home);
    await world.deliver();
    expect(kindsAt(path)).toEqual(isSilent ? [] : ["fired"]);
    const expected = isSilent ? { status: "silenced", silence_id: id } : { status: "sent", silence_id: null };
    expect(await home.deliveries()).toMatchObject([{ ...expected, event_ids: [event] }]);
    const { body } = await home.owner.client.get("/alerts/history");
    expect(body).toMatchObject([{ id: event, deliveries: [{ status: expected.status }] }]);
  });

  test("of one org does not affect another org", async () => {
    const [home, other] = [await homeWith("/mine"), await homeWith("/theirs")];
    await silence(home, { all: true });
    for (const one of [home, other]) await fire(world, one);
    await world.deliver();
    expect([kindsAt("/mine"), kindsAt("/theirs")]).toEqual([[], ["fired"]]);
  });

  test("that ends while the alert is firing releases its notification once", async () => {
    const home = await homeWith("/ends");
    await silence(home, { all: true });
    const event = await fire(world, home);
    await world.deliver();
    h.clock.advance(hour - 10);
    await world.deliver();
    expect(kindsAt("/ends")).toEqual([]);
    h.clock.advance(20);
    await world.deliver();
    await world.deliver();
    expect(kindsAt("/ends")).toEqual(["fired"]);
    await notify(world, home, event, "resolved");
    await world.deliver();
    expect(kindsAt("/ends")).toEqual(["fired", "resolved"]);
  });

  test("that is deleted releases its notification at once", async () => {
    const home = await homeWith("/lifted");
    const { id } = await silence(home, { contract_id: home.contract.id });
    await fire(world, home);
    await world.deliver();
    expect((await home.owner.client.delete(`/silences/${id}`)).body).toEqual({ ok: true });
    await world.deliver();
    expect(kindsAt("/lifted")).toEqual(["fired"]);
    expect(await home.deliveries()).toMatchObject([{ status: "sent", silence_id: id }]);
    expect(await home.owner.client.delete(`/silences/${id}`)).toMatchObject(errorReply(404, "not_found"));
  });

  test("that ends after the alert has resolved releases no notification", async () => {
    const home = await homeWith("/over");
    await silence(home, { all: true });
    const event = await fire(world, home);
    await world.deliver();
    await settleEvent(world, event, "resolved");
    await notify(world, home, event, "resolved");
    h.clock.advance(2 * hour);
    await world.deliver();
    expect(kindsAt("/over")).toEqual([]);
    expect(await home.deliveries()).toMatchObject([{ kind: "fired", status: "silenced" }]);
  });

  test("is replaced by another active silence when it ends", async () => {
    const home = await homeWith("/another");
    const first = await silence(home, { all: true }, { ends_at: inSeconds(60) });
    await fire(world, home);
    await world.deliver();
    const second = await silence(home, { severity: "critical" });
    expect(await home.deliveries()).toMatchObject([{ silence_id: first.id }]);
    h.clock.advance(120);
    await world.deliver();
    expect(await home.deliveries()).toMatchObject([{ status: "silenced", silence_id: second.id }]);
    h.clock.advance(hour);
    await world.deliver();
    expect(kindsAt("/another")).toEqual(["fired"]);
  });

  test("that ends after its channel failed permanently leaves no delivery queued", async () => {
    const home = await homeWith("/dead");
    const { id } = await silence(home, { severity: "critical" });
    await fire(world, home, { severity: "critical" });
    await world.deliver();
    sink.on("/dead", () => 410);
    await fire(world, home, { severity: "warning" });
    await world.deliver();
    await home.owner.client.delete(`/silences/${id}`);
    await world.deliver();
    expect((await home.deliveries()).map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect((await home.deliveries({ status: "failed" })).at(-1)).toMatchObject({
      silence_id: id,
      last_error: expect.stringContaining("410"),
    });
  });

  test("of a locked org does not delay the notifications of other orgs", async () => {
    const homes = [await homeWith("/waits/1"), await homeWith("/waits/2")] as const;
    const turns = new RoundRobin();
    for (const [busy, other] of [homes, [homes[1], homes[0]]] as const) {
      const silences = [await silence(homes[0], { all: true }), await silence(homes[1], { all: true })];
      for (const home of homes) await fire(world, home);
      await world.fanOutAll();
      for (const [at, { id }] of silences.entries()) await homes[at]?.owner.client.delete(`/silences/${id}`);
      await h.app.db.transaction().execute(async (tx) => {
        await lockOrgs(tx, [busy.owner.org_id]);
        for (let round = 0; round < 3; round++) await fanOutUnmuted(h.app, turns);
      });
      expect(await other.deliveries({ status: "queued" })).toHaveLength(1);
      expect(await busy.deliveries({ status: "queued" })).toEqual([]);
      await world.deliver();
    }
  });

  test("does not suppress the resolved notification of an alert whose firing was notified", async () => {
    const home = await homeWith("/notified");
    const event = await fire(world, home);
    await world.deliver();
    await silence(home, { all: true });
    await notify(world, home, event, "renotified", 1);
    await notify(world, home, event, "resolved");
    await world.deliver();
    expect(kindsAt("/notified")).toEqual(["fired", "resolved"]);
  });
});

test("active and future silences are listed, the first to end first", async () => {
  const home = await homeWith("/list");
  const long = await silence(home, { all: true }, { ends_at: inSeconds(9 * hour) });
  const later = await silence(
    home,
    { label: "x" },
    { starts_at: inSeconds(hour), ends_at: inSeconds(2 * hour) },
  );
  await silence(home, { severity: "info" }, { ends_at: inSeconds(60) });
  h.clock.advance(120);
  expect((await home.owner.client.get("/silences")).body).toEqual([later, long]);
  expect(long).toMatchObject({ all: true, contract_id: null, label: null, severity: null });
});

test.each([
  [{}, "body"],
  [{ all: true, severity: "info" }, "body"],
  [{ all: false }, "body.all"],
  [{ all: true, reason: "" }, "body.reason"],
  [{ all: true, ends_at: "2001-01-01T00:00:00Z" }, "body.ends_at"],
  [{ all: true, starts_at: "2999-01-02T00:00:00Z", ends_at: "2999-01-01T00:00:00Z" }, "body.ends_at"],
  [{ contract_id: freshId() }, "body.contract_id"],
  [{ all: true, for: "ever" }, "body.for"],
])("the silence %j gets 422", async (match, loc) => {
  const person = await h.person();
  const body = { reason: "Planned", ends_at: inSeconds(hour), ...match };
  const reply = await person.client.post("/silences", body);
  expect(reply.status).toBe(422);
  const { detail } = reply.body as { detail: { loc: string[] }[] };
  expect(detail.map((issue) => issue.loc.join("."))).toContain(loc);
});

test("a member without access to a contract can neither create, list nor delete its silences", async () => {
  const home = await homeWith("/restricted");
  const [member, reader] = [await join(h, home.owner, "member"), await join(h, home.owner, "member")];
  for (const person of [member, reader]) await person.client.post(`/orgs/${home.owner.org_id}/switch`);
  const contract = await addContract(home.owner);
  await grant(home.owner, contract.id, reader, "viewer");
  const { id } = await silence(home, { contract_id: contract.id });
  const body = { contract_id: contract.id, reason: "x", ends_at: inSeconds(hour) };
  expect((await member.client.post("/silences", body)).status).toBe(422);
  expect((await member.client.get("/silences")).body).toEqual([]);
  expect(await member.client.delete(`/silences/${id}`)).toMatchObject(errorReply(404, "not_found"));
  expect(await reader.client.post("/silences", body)).toMatchObject(errorReply(403, "role_required"));
  expect((await reader.client.get("/silences")).body).toMatchObject([{ id }]);
  expect(await reader.client.delete(`/silences/${id}`)).toMatchObject(errorReply(403, "role_required"));
  expect((await home.owner.client.delete(`/silences/${id}`)).status).toBe(200);
});

test("a key scoped to contracts lists only the silences that can apply to them", async () => {
  const home = await world.household();
  const other = await addContract(home.owner);
  await home.owner.client.post(`/contracts/${home.contract.id}/labels`, { value: "treasury" });
  await home.owner.client.post(`/contracts/${other.id}/labels`, { value: "Secret project" });
  const everything = await silence(home, { all: true });
  const mine = await silence(home, { label: "Treasury" });
  const elsewhere = await silence(home, { label: "secret project" });
  const listed = async (contract_id: string) => {
    const key = await makeKeyClient(h, home.owner, { contract_scope: [contract_id] });
    return ((await key.get("/silences")).body as Silence[]).map(({ id }) => id).sort();
  };
  expect(await listed(home.contract.id)).toEqual([everything.id, mine.id].sort());
  expect(await listed(other.id)).toEqual([everything.id, elsewhere.id].sort());
});

describe("changing a silence", () => {
  const patch = ({ owner }: Pick<Household, "owner">, { id }: Silence, change: object) =>
    owner.client.patch(`/silences/${id}`, change);

  test("keeps alerts silent until the new end, and notifies of those that still fire", async () => {
    const home = await homeWith("/extended");
    const made = await silence(home, { all: true });
    await fire(world, home);
    await world.deliver();
    const ends_at = inSeconds(3 * hour);
    const changed = await patch(home, made, { ends_at, reason: "Took longer" });
    expect(changed).toMatchObject({ status: 200, body: { ...made, ends_at, reason: "Took longer" } });
    expect(await home.owner.client.get(`/silences/${made.id}`)).toMatchObject({ body: changed.body });
    h.clock.advance(2 * hour);
    await world.deliver();
    expect(kindsAt("/extended")).toEqual([]);
    h.clock.advance(2 * hour);
    await world.deliver();
    expect(kindsAt("/extended")).toEqual(["fired"]);
  });

  test("rejects an end in the past, a start after the end and a new start of one that has started", async () => {
    const home = await homeWith("/rejected");
    const started = await silence(home, { all: true });
    const future = await silence(home, { all: true }, { starts_at: inSeconds(60) });
    const issue = (field: string) => ({ status: 422, body: { detail: [{ loc: ["body", field] }] } });
    expect(await patch(home, started, { ends_at: inSeconds(-1) })).toMatchObject(issue("ends_at"));
    expect(await patch(home, started, { starts_at: inSeconds(60) })).toMatchObject(issue("starts_at"));
    expect(await patch(home, future, { starts_at: inSeconds(2 * hour) })).toMatchObject(issue("ends_at"));
    expect(await patch(home, future, {})).toMatchObject({ status: 422 });
    expect(await patch(home, future, { starts_at: inSeconds(120) })).toMatchObject({ status: 200 });
  });

  test("is not possible after its end, when it can still be read", async () => {
    const home = await homeWith("/ended");
    const made = await silence(home, { all: true });
    h.clock.advance(2 * hour);
    expect(await patch(home, made, { reason: "Late" })).toMatchObject(errorReply(404, "not_found"));
    expect(await home.owner.client.get(`/silences/${made.id}`)).toMatchObject({ status: 200, body: made });
    await home.owner.client.delete(`/silences/${made.id}`);
    expect(await home.owner.client.get(`/silences/${made.id}`)).toMatchObject(errorReply(404, "not_found"));
  });

  test("is for an admin if it covers contracts that the member may not change", async () => {
    const home = await world.household();
    const member = await join(h, home.owner, "member");
    await member.client.post(`/orgs/${home.owner.org_id}/switch`);
    const made = await silence(home, { all: true });
    expect(await patch({ owner: member }, made, { reason: "Mine" })).toMatchObject({ status: 200 });
    await grant(home.owner, home.contract.id, home.owner, "editor");
    expect(await patch({ owner: member }, made, { reason: "Mine" })).toMatchObject(
      errorReply(403, "role_required"),
    );
  });
});
