import { describe, expect, test } from "vitest";
import { fanOutFew } from "../../src/delivery/fan-out.ts";
import { addRule } from "../api/contracts/contract-steps.ts";
import { fire, type Household, makeWorld, notify, settleEvent } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

const kindsAt = (path: string) => sink.at(path).map(({ kind }) => kind);

describe("recipients", () => {
  test("of a fired event are the channels of its rule, each once", async () => {
    const home = await world.household();
    const [one, two] = [await home.channel("/named/1"), await home.channel("/named/2")];
    await home.channel("/named/other");
    await home.owner.client.patch(`/alerts/${home.rule.id}`, {
      channel_id: one.id,
      channel_ids: [two.id, one.id],
    });
    const event = await fire(world, home);
    await world.deliver();
    await world.deliver();
    expect([kindsAt("/named/1"), kindsAt("/named/2"), kindsAt("/named/other")]).toEqual([
      ["fired"],
      ["fired"],
      [],
    ]);
    expect(sink.at("/named/1")[0]?.body.data.alerts).toMatchObject([{ event_id: event }]);
    expect(await home.deliveries()).toMatchObject([{ status: "sent" }, { status: "sent" }]);
  });

  test("of a fired event are the channels of its rule, even if the rule or its contract is deleted before the delivery", async () => {
    for (const deleted of ["rule", "contract"] as const) {
      const home = await world.household();
      const channel = await home.channel(`/deleted/${deleted}`);
      await home.owner.client.patch(`/alerts/${home.rule.id}`, { channel_ids: [channel.id] });
      await fire(world, home);
      const { contract_id } = (await home.owner.client.get(`/alerts/${home.rule.id}`)).body as {
        contract_id: string;
      };
      const path = deleted === "rule" ? `/alerts/${home.rule.id}` : `/contracts/${contract_id}`;
      expect((await home.owner.client.delete(path)).status).toBe(200);
      await world.deliver();
      await world.deliver();
      expect(kindsAt(`/deleted/${deleted}`)).toContain("fired");
    }
  });

  test("of a system alert are all channels of the org", async () => {
    const [home, other] = [await world.household(), await world.household()];
    await home.channel("/system/1");
    await home.channel("/system/2");
    await other.channel("/system/other");
    const id = await fire(world, { ...home, rule: { ...home.rule, id: null as unknown as string } });
    expect(id).toBeTruthy();
    await world.deliver();
    expect(kindsAt("/system/1")).toEqual(["fired"]);
    expect(kindsAt("/system/2")).toEqual(["fired"]);
    expect(kindsAt("/system/other")).toEqual([]);
  });

  test("exclude paused channels and those with a higher minimum severity", async () => {
    const home = await world.household();
    const calm = await home.channel("/severity/critical", { min_severity: "critical" });
    const off = await home.channel("/severity/off", { is_enabled: false });
    const all = await home.channel("/severity/all");
    await home.setChannels(home.rule, calm, off, all);
    for (const severity of ["info", "warning", "critical"] as const) await fire(world, home, { severity });
    await world.deliver();
    expect(sink.at("/severity/critical").map(({ body }) => body.data.severity)).toEqual(["critical"]);
    expect(
      sink
        .at("/severity/all")
        .map(({ body }) => body.data.severity)
        .sort(),
    ).toEqual(["critical", "info", "warning"]);
    expect(sink.at("/severity/off")).toEqual([]);
  });

  test("of a resolution are the channels that were notified of the fired event", async () => {
    const home = await world.household();
    const [told, later] = [await home.channel("/end/told"), await home.channel("/end/later")];
    await home.setChannels(home.rule, told);
    const event = await fire(world, home);
    await world.deliver();
    await home.setChannels(home.rule, later);
    await notify(world, home, event, "resolved");
    await world.deliver();
    expect(kindsAt("/end/told")).toEqual(["fired", "resolved"]);
    expect(kindsAt("/end/later")).toEqual([]);
  });

  test.each<[string, (home: Household) => Promise<{ status: number }>]>([
    ["its rule is deleted", ({ owner, rule }) => owner.client.delete(`/alerts/${rule.id}`)],
    [
      "its rule is disabled",
      ({ owner, rule }) => owner.client.patch(`/alerts/${rule.id}`, { is_enabled: false }),
    ],
    [
      "its rule is changed",
      ({ owner, rule }) =>
        owner.client.patch(`/alerts/${rule.id}`, { condition: { operator: "gt", threshold: 9 } }),
    ],
    ["its target is deleted", ({ owner, target }) => owner.client.delete(`/targets/${target.id}`)],
    ["its contract is deleted", ({ owner, contract }) => owner.client.delete(`/contracts/${contract.id}`)],
  ])("of a resolution include the notified channels when %s", async (when, change) => {
    const what = when.replaceAll(" ", "-");
    const [home, quiet] = [await world.household(), await world.household()];
    await home.setChannels(home.rule, await home.channel(`/gone/${what}`));
    await quiet.setChannels(quiet.rule, await quiet.channel(`/gone/quietly/${what}`));
    await quiet.owner.client.patch(`/alerts/${quiet.rule.id}`, { notify_on_resolve: false });
    for (const one of [home, quiet]) {
      await fire(world, one);
      await world.deliver();
      expect((await change(one)).status).toBe(200);
      await world.deliver();
    }
    expect([kindsAt(`/gone/${what}`), kindsAt(`/gone/quietly/${what}`)]).toEqual([
      ["fired", "resolved"],
      ["fired"],
    ]);
  });

  test("of a reminder are none once the event is acknowledged", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/renotified"));
    const event = await fire(world, home);
    await notify(world, home, event, "renotified", 1);
    await world.deliver();
    await home.owner.client.post(`/alerts/events/${event}/acknowledge`);
    await notify(world, home, event, "renotified", 2);
    await world.deliver();
    expect(kindsAt("/renotified")).toEqual(["fired", "renotified", "acknowledged"]);
  });
});

describe("a retracted alert", () => {
  test("is not sent if it was not sent before", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/untold"));
    const event = await fire(world, home);
    await world.fanOutAll();
    await settleEvent(world, event, "retracted");
    await notify(world, home, event, "retracted");
    await world.deliver();
    expect(sink.at("/untold")).toEqual([]);
    const last_error = expect.stringContaining("retracted before");
    expect(await home.deliveries()).toMatchObject([{ kind: "fired", status: "skipped", last_error }]);
  });

  test("is not sent if it fires and is retracted in the same batch", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/both"));
    const event = await fire(world, home);
    await notify(world, home, event, "retracted");
    await world.deliver();
    expect(sink.at("/both")).toEqual([]);
    expect((await home.deliveries()).map(({ status }) => status)).toEqual(["skipped", "skipped"]);
  });

  test("is retracted where it was sent, and sent again when it fires again", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/back"));
    const event = await fire(world, home);
    await world.deliver();
    await notify(world, home, event, "retracted");
    h.clock.advance(1);
    await notify(world, home, event, "fired", 1);
    await world.deliver();
    expect(kindsAt("/back")).toEqual(["fired", "retracted", "fired"]);
  });
});

describe("alerts of one transaction", () => {
  const tx_hash = `0x${"ab".repeat(32)}`;

  test("are one message with the highest severity", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/grouped"));
    await fire(world, home, { tx_hash, severity: "info" });
    await fire(world, home, { tx_hash, severity: "critical" });
    await fire(world, home, { tx_hash: `0x${"cd".repeat(32)}` });
    await world.deliver();
    expect(
      sink
        .at("/grouped")
        .map(({ body }) => body.data.alerts.length)
        .sort(),
    ).toEqual([1, 2]);
    const both = sink.at("/grouped").find(({ body }) => body.data.alerts.length === 2);
    expect(both?.body.data.severity).toBe("critical");
    const [grouped] = (await home.deliveries()).filter(({ event_ids }) => event_ids.length === 2);
    expect(grouped?.id).toBe(both?.id);
  });

  test("stay one message when there are more notices than one batch holds", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/apart"));
    const hashes = Array.from({ length: 160 }, (_, at) => `0x${at.toString(16).padStart(64, "0")}`);
    for (const hash of [...hashes, ...hashes]) await fire(world, home, { tx_hash: hash });
    await world.deliver();
    expect(sink.at("/apart").map(({ body }) => body.data.alerts.length)).toEqual(hashes.map(() => 2));
  });

  test("resolve one by one, each after the message that contains it", async () => {
    const home = await world.household();
    await home.setChannels(home.rule, await home.channel("/ends"));
    const events = [await fire(world, home, { tx_hash }), await fire(world, home, { tx_hash })];
    for (const event of events) await notify(world, home, event, "resolved");
    sink.on("/ends", () => (kindsAt("/ends").length === 1 ? 500 : 200));
    await world.deliver();
    expect(kindsAt("/ends")).toEqual(["fired"]);
    h.clock.advance(60);
    await world.deliver();
    expect(kindsAt("/ends")).toEqual(["fired", "fired", "resolved", "resolved"]);
  });
});

describe("alerts of one reading of state", () => {
  const reading = { tx_hash: null, block_number: "4200" };

  test("are one message if they are of different rules, and each resolves", async () => {
    const home = await world.household();
    const channel = await home.channel("/state");
    const second = { ...home, rule: await addRule(home.owner, home.target.id) };
    for (const { rule } of [home, second]) await home.setChannels(rule, channel);
    const events = [await fire(world, home, reading), await fire(world, second, reading)];
    await fire(world, second, { ...reading, block_number: "4201" });
    await world.deliver();
    const alerts = () => sink.at("/state").map(({ body }) => body.data.alerts.length);
    expect(alerts().sort()).toEqual([1, 2]);
    for (const event of events) await notify(world, home, event, "resolved");
    await world.deliver();
    expect(kindsAt("/state").filter((kind) => kind === "resolved")).toHaveLength(2);
  });

  test("are separate messages if a silence covers only one of them", async () => {
    const home = await world.household();
    const second = { ...home, rule: await addRule(home.owner, home.target.id) };
    const channel = await home.channel("/half");
    for (const { rule } of [home, second]) await home.setChannels(rule, channel);
    const ends_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
    const silence = { contract_id: home.contract.id, severity: "warning", reason: "works", ends_at };
    expect((await home.owner.client.post("/silences", silence)).status).toBeLessThan(300);
    await fire(world, home, { ...reading, severity: "warning" });
    await fire(world, second, { ...reading, severity: "critical" });
    await world.deliver();
    expect(sink.at("/half").map(({ body }) => body.data.alerts.length)).toEqual([1]);
  });
});

test("a reminder is not sent before the silenced first notification", async () => {
  const home = await world.household();
  await home.setChannels(home.rule, await home.channel("/reminded"));
  const ends_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  await home.owner.client.post("/silences", { contract_id: home.contract.id, reason: "works", ends_at });
  const event = await fire(world, home);
  await world.deliver();
  expect(kindsAt("/reminded")).toEqual([]);
  h.clock.advance(61);
  await notify(world, home, event, "renotified", 1);
  // The ended silence has not been processed yet.
  await fanOutFew(h.app);
  await world.sendDue();
  expect(kindsAt("/reminded")).toEqual(["fired", "renotified"]);
});

test("concurrent processes create each delivery once", async () => {
  const home = await world.household();
  await home.setChannels(home.rule, await home.channel("/twice"));
  for (let count = 0; count < 20; count++) await fire(world, home);
  await Promise.all(Array.from({ length: 8 }, () => fanOutFew(h.app)));
  await world.deliver();
  expect(sink.at("/twice")).toHaveLength(20);
  expect(new Set(sink.at("/twice").map(({ id }) => id)).size).toBe(20);
});

test("an event lists the delivery status of each channel", async () => {
  const home = await world.household();
  const channel = await home.channel("/event");
  await home.setChannels(home.rule, channel);
  const event = await fire(world, home);
  await world.deliver();
  const expected = {
    channel_id: channel.id,
    channel_type: "webhook",
    status: "sent",
    attempts: 1,
    last_error: null,
  };
  const { body } = await home.owner.client.get(`/alerts/events/${event}`);
  expect(body).toMatchObject({ deliveries: [{ ...expected, sent_at: expect.any(String) }] });
  const { body: history } = await home.owner.client.get("/alerts/history");
  expect(history).toMatchObject([{ deliveries: [expected] }]);
});
