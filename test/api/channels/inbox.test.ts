import { expect, test } from "vitest";
import { deleteOldData } from "../../../src/jobs/delete-old-data.ts";
import { purgeExpired } from "../../../src/jobs/purge-expired.ts";
import { sequenceStream } from "../../../src/jobs/sequence-stream.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import type { Inbox } from "../../../src/wire/channels/inbox.ts";
import { fire, type Household, makeWorld, notify } from "../../delivery/world.ts";
import { StreamClient } from "../../http/stream/listen.ts";
import type { Person } from "../../support/harness.ts";
import { addContract, addRule, addTarget, grant } from "../contracts/contract-steps.ts";
import { makeKey } from "../orgs/keys.ts";
import { day, join } from "../steps.ts";

const world = await makeWorld();
const { h } = world;

async function addInbox(owner: Person): Promise<Channel> {
  const reply = await owner.client.post("/channels", { type: "inbox", name: "Our inbox", config: {} });
  expect(reply.status).toBe(200);
  return reply.body as Channel;
}

/** An org with a rule that notifies an inbox. */
async function homeWithInbox(): Promise<Household & { inbox: Channel }> {
  const home = await world.household();
  const inbox = await addInbox(home.owner);
  await home.setChannels(home.rule, inbox);
  return { ...home, inbox };
}

const read = async ({ client }: Pick<Person, "client">, query: Record<string, string> = {}) =>
  (await client.get("/inbox", { query })).body as Inbox;
const titles = ({ messages }: Inbox) => messages.map(({ title }) => title);

test("an alert arrives in the inbox, and its end as a second message", async () => {
  const home = await homeWithInbox();
  const event = await fire(world, home, { title: "Vault drained", message: "Everything left." });
  await world.deliver();
  h.clock.advance(5);
  await notify(world, home, event, "resolved");
  await world.deliver();
  expect(await read(home.owner)).toMatchObject({
    unread: 2,
    messages: [
      { kind: "resolved", title: "Resolved: Vault drained", event_ids: [event] },
      {
        kind: "fired",
        severity: "critical",
        channel_id: home.inbox.id,
        channel_name: "Our inbox",
        title: "Critical: Vault drained",
        message: "Everything left.",
        event_ids: [event],
        is_read: false,
      },
    ],
  });
  expect(await home.deliveries()).toMatchObject([
    { status: "sent" },
    { status: "sent", channel_type: "inbox" },
  ]);
});

test("a message that is sent again is stored once", async () => {
  const home = await homeWithInbox();
  await fire(world, home);
  await world.deliver();
  const [delivery] = await home.deliveries();
  expect((await home.owner.client.post(`/deliveries/${delivery?.id}/replay`)).status).toBe(200);
  await world.deliver();
  expect((await read(home.owner)).messages).toHaveLength(1);
});

test("a test of the channel arrives in the inbox without an event", async () => {
  const owner = await h.person();
  const { id } = await addInbox(owner);
  expect((await owner.client.post(`/channels/${id}/test`)).status).toBe(200);
  expect(await read(owner)).toMatchObject({ unread: 1, messages: [{ kind: "test", event_ids: [] }] });
});

test("each person marks messages as read for themselves, one by one or up to a time", async () => {
  const home = await homeWithInbox();
  const colleague = await join(h, home.owner, "viewer");
  await colleague.client.post(`/orgs/${home.owner.org_id}/switch`);
  for (const title of ["First", "Second", "Third"]) {
    await fire(world, home, { title });
    await world.deliver();
    h.clock.advance(5);
  }
  const [third, second] = (await read(home.owner)).messages;
  const mark = (body: object) => home.owner.client.post("/inbox/read", body);
  expect((await mark({ message_ids: [third?.id] })).body).toEqual({ unread: 2 });
  expect(titles(await read(home.owner, { is_unread: "true" }))).toEqual([
    "Critical: Second",
    "Critical: First",
  ]);
  expect((await mark({ until: second?.received_at })).body).toEqual({ unread: 0 });
  expect(titles(await read(home.owner, { is_unread: "false" }))).toHaveLength(3);
  expect(await read(colleague)).toMatchObject({ unread: 3 });
});

test("the inbox is paged with a constant end", async () => {
  const home = await homeWithInbox();
  for (const title of ["First", "Second", "Third"]) {
    await fire(world, home, { title });
    await world.deliver();
    h.clock.advance(5);
  }
  const to = (await read(home.owner)).messages[1]?.received_at ?? "";
  expect(titles(await read(home.owner, { to, limit: "1" }))).toEqual(["Critical: Second"]);
  expect(titles(await read(home.owner, { to, limit: "1", offset: "1" }))).toEqual(["Critical: First"]);
});

test.each([{}, { message_ids: [] }, { message_ids: ["x"] }, { message_ids: undefined, until: "yesterday" }])(
  "marking %j as read gets 422",
  async (body) => {
    const { client } = await h.person();
    expect((await client.post("/inbox/read", body)).status).toBe(422);
  },
);

test("strangers, members without access and restricted keys see no message about a contract", async () => {
  const home = await homeWithInbox();
  const [member, stranger] = [await join(h, home.owner, "member"), await h.person()];
  await member.client.post(`/orgs/${home.owner.org_id}/switch`);
  const contract = await addContract(home.owner);
  const target = await addTarget(home.owner, contract.id);
  const rule = await addRule(home.owner, target.id, { channel_id: home.inbox.id });
  await fire(world, home, { title: "Open" });
  await fire(world, { ...home, contract, target, rule }, { title: "Hidden" });
  await grant(home.owner, contract.id, home.owner);
  await world.deliver();
  await home.owner.client.post(`/channels/${home.inbox.id}/test`);
  const { messages } = await read(home.owner);
  expect(messages).toHaveLength(3);
  expect(titles(await read(member)).sort()).toEqual(["Critical: Open", "Test: Test of Our inbox"]);
  expect(await read(member)).toMatchObject({ unread: 2 });
  expect(await read(stranger)).toEqual({ unread: 0, messages: [] });
  const key = await makeKey(home.owner, { contract_scope: [contract.id] });
  const scoped = await h.anonymous().get("/inbox", { headers: { authorization: `Bearer ${key.key}` } });
  expect(titles(scoped.body as Inbox)).toEqual(["Critical: Hidden"]);
  // Marking everything marks nothing that the member cannot see.
  const ids = messages.map(({ id }) => id);
  expect((await member.client.post("/inbox/read", { message_ids: ids })).body).toEqual({ unread: 0 });
  await home.owner.client.delete(`/contracts/${contract.id}/access/${home.owner.user.id}`);
  expect(await read(member)).toMatchObject({ unread: 1 });
});

test.each([
  ["this version", async () => undefined],
  ["the version before", insertDeliveriesAsBefore],
])(
  "a message of %s stays hidden from a member after its alert about a contract hidden from them has expired",
  async (_, change) => {
    const home = await homeWithInbox();
    const member = await join(h, home.owner, "member");
    await member.client.post(`/orgs/${home.owner.org_id}/switch`);
    const contract = await addContract(home.owner);
    const target = await addTarget(home.owner, contract.id);
    const rule = await addRule(home.owner, target.id, { channel_id: home.inbox.id });
    await grant(home.owner, contract.id, home.owner);
    const tx_hash = `0x${"5".repeat(64)}`;
    const hidden = await fire(world, { ...home, contract, target, rule }, { tx_hash, title: "Hidden" });
    const open = await fire(world, home, { tx_hash, title: "Open" });
    await world.deliver();
    await change();
    const seen = async ({ client }: Pick<Person, "client">) => ({
      inbox: (await read({ client })).messages.length,
      deliveries: ((await client.get("/deliveries")).body as unknown[]).length,
      counted: ((await client.get("/dashboard/stats")).body as { deliveries_24h: object }).deliveries_24h,
      event: (await client.get(`/alerts/events/${open}`)).status,
    });
    const ofMember = { inbox: 0, deliveries: 0, counted: { sent: 0, failed: 0 }, event: 200 };
    expect(await seen(member)).toEqual(ofMember);
    await h.app.db.deleteFrom("alert_events").where("id", "=", hidden).execute();
    expect(await seen(member)).toEqual(ofMember);
    expect(await seen(home.owner)).toMatchObject({
      inbox: 1,
      deliveries: 1,
      counted: { sent: 1, failed: 0 },
    });
    expect((await read(home.owner)).messages).toMatchObject([{ event_ids: [open] }]);
  },
);

/** Inserts what is delivered again without the contracts of its alerts. */
async function insertDeliveriesAsBefore(): Promise<void> {
  const rows = await h.app.db.deleteFrom("delivery_notices").returningAll().execute();
  const values = rows.map(({ contract_id: _, ...row }) => row);
  await h.app.db.insertInto("delivery_notices").values(values).execute();
}

test("a new message is announced on the stream to those who see it", async () => {
  const home = await homeWithInbox();
  const url = await h.server.listen({ port: 0, host: "127.0.0.1" });
  const cookie = [...home.owner.client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const stream = new StreamClient(url, { cookie });
  await stream.next("hello");
  await fire(world, home);
  await world.deliver();
  while ((await sequenceStream.run(h.app)).hasMore);
  const { data } = await stream.next("inbox.received");
  expect(data.message_id).toBe((await read(home.owner)).messages[0]?.id);
  stream.close();
});

test("messages are deleted with their channel", async () => {
  const home = await homeWithInbox();
  await fire(world, home);
  await world.deliver();
  const stored = async () =>
    (
      await h.app.db
        .selectFrom("inbox_messages")
        .select("id")
        .where("org_id", "=", home.owner.org_id)
        .execute()
    ).length;
  await home.owner.client.post(`/channels/${home.inbox.id}/test`);
  expect(await stored()).toBe(2);
  expect((await home.owner.client.delete(`/channels/${home.inbox.id}?force=true`)).status).toBe(200);
  expect(await stored()).toBe(0);
});

test("messages are deleted with the history, and tests after a month", async () => {
  const home = await homeWithInbox();
  await fire(world, home);
  await world.deliver();
  expect((await read(home.owner)).messages).toHaveLength(1);
  h.clock.advance(400 * day);
  while ((await deleteOldData.run(h.app)).hasMore);
  await purgeExpired.run(h.app);
  const left = await h.app.db.selectFrom("inbox_messages").select("id").execute();
  expect(left).toEqual([]);
});
