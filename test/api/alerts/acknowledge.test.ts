import { expect, test } from "vitest";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import { fire, makeWorld, settleEvent } from "../../delivery/world.ts";
import { grant } from "../contracts/contract-steps.ts";
import { errorReply, join, unknownId } from "../steps.ts";

const world = await makeWorld();
const { h, sink } = world;
const path = "/alerts/events/acknowledge";

test("several events are acknowledged in one request, which notifies their recipients once each", async () => {
  const home = await world.household();
  await home.setChannels(home.rule, await home.channel("/bulk"));
  const [first, second, over] = [await fire(world, home), await fire(world, home), await fire(world, home)];
  await settleEvent(world, over, "resolved");
  await world.deliverAll();
  const event_ids = [first, second.toUpperCase(), over, first];
  expect(await home.owner.client.post(path, { event_ids })).toMatchObject({
    status: 200,
    body: { acknowledged: [first, second], unchanged: [over] },
  });
  expect(await home.owner.client.post(path, { event_ids: [first] })).toMatchObject({
    body: { acknowledged: [], unchanged: [first] },
  });
  await world.deliverAll();
  const kinds = sink.at("/bulk").map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "acknowledged")).toHaveLength(2);
  const events = (await home.owner.client.get("/alerts/history")).body as AlertEvent[];
  const byId = new Map(events.map((event) => [event.id, event]));
  expect(byId.get(second)).toMatchObject({ status: "acknowledged", acknowledged_by: home.owner.user.id });
  expect(byId.get(over)).toMatchObject({ status: "resolved", acknowledged_at: null });
});

test("if an event is unknown, each unknown one is reported and none is acknowledged", async () => {
  const [home, other] = [await world.household(), await world.household()];
  const [own, foreign] = [await fire(world, home), await fire(world, other)];
  const reply = await home.owner.client.post(path, { event_ids: [unknownId, own, foreign] });
  expect(reply).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "event_ids", 0] }, { loc: ["body", "event_ids", 2] }] },
  });
  expect((await home.owner.client.get(`/alerts/events/${own}`)).body).toMatchObject({ status: "firing" });
});

test("a member with read-only access to one of the contracts acknowledges none of the events", async () => {
  const home = await world.household();
  const member = await join(h, home.owner, "member");
  await member.client.post(`/orgs/${home.owner.org_id}/switch`);
  const id = await fire(world, home);
  await grant(home.owner, home.contract.id, member, "viewer");
  expect(await member.client.post(path, { event_ids: [id] })).toMatchObject(errorReply(403, "role_required"));
});
