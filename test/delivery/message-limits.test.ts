import { expect, test } from "vitest";
import { messageHour } from "../../src/delivery/message-limits.ts";
import { limitRecipients, recipientLimits } from "../../src/delivery/recipient-limits.ts";
import { summariseOverflows } from "../../src/domain/channels/message-summaries.ts";
import { summariseMessages } from "../../src/jobs/summarise-messages.ts";
import { addMessageCount } from "../../src/store/delivery/message-limits.ts";
import { tierLimits } from "../../src/tiers.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import { addContractWithRule } from "../api/contracts/contract-steps.ts";
import { errorReply, hour } from "../api/steps.ts";
import { fire, type Household, makeWorld, notify } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

/** An org of the Free tier with the channels of its rule. */
async function freeHome(...bodies: object[]) {
  const owner = await h.person();
  const home = { owner, ...(await addContractWithRule(owner)) } as Household;
  const channels: Channel[] = [];
  for (const body of bodies) channels.push((await owner.client.post("/channels", body)).body as Channel);
  const channel_ids = channels.map(({ id }) => id);
  await owner.client.patch(`/alerts/${home.rule.id}`, { channel_id: null, channel_ids });
  return { home, owner, channels };
}

const hook = (path: string) => ({ type: "webhook", name: path, config: { url: sink.url(path) } });
const titlesAt = (path: string) =>
  sink.at(path).flatMap(({ body }) => body.data.alerts.map(({ title }) => title));

/** Moves to the start of an hour, so that a test does not cross one by chance. */
const startHour = () => h.clock.advance(hour - (Math.floor(h.clock.now().getTime() / 1000) % hour) + 1);

test.each([
  ["free", 200],
  ["pro", 1_000],
  ["team", 5_000],
  ["enterprise", 20_000],
] as const)("the tier %s allows %s messages an hour", (tier, limit) => {
  expect(tierLimits[tier].messagesPerHour).toBe(limit);
});

test("messages beyond the hourly limit of an org are summarised in one message per channel", async () => {
  startHour();
  const { home, owner, channels } = await freeHome(hook("/one"), hook("/two"));
  const other = await world.household();
  await other.setChannels(other.rule, await other.channel("/other"));
  const events: string[] = [];
  for (let index = 0; index < 103; index++) events.push(await fire(world, home));
  await fire(world, other);
  await world.deliver();
  const received = () => sink.at("/one").length + sink.at("/two").length;
  expect([received(), sink.at("/other").length]).toEqual([200, 1]);
  const { body: skipped } = await owner.client.get("/deliveries", { query: { status: "skipped" } });
  expect(skipped).toMatchObject(
    Array(6).fill({ last_error: expect.stringContaining("limit of messages per hour") }),
  );

  // A follow-up of an alert that was left out, a test and a replay get no further.
  await notify(world, home, events.at(-1) ?? "", "resolved");
  await world.deliver();
  expect(received()).toBe(200);
  const over = {
    ...errorReply(429, "rate_limited"),
    headers: { "retry-after": expect.stringMatching(/^\d+$/) },
  };
  expect(await owner.client.post(`/channels/${channels[0]?.id}/test`)).toMatchObject(over);
  const [delivery] = skipped as { id: string }[];
  expect(await owner.client.post(`/deliveries/${delivery?.id}/replay`)).toMatchObject(over);

  await summariseOverflows(h.app);
  await world.deliver();
  expect(received()).toBe(200);
  startHour();
  await summariseOverflows(h.app);
  await summariseOverflows(h.app);
  await world.deliver();
  expect(titlesAt("/one").filter((title) => /left out/.test(title))).toEqual([
    "3 further messages were left out",
  ]);
  expect(titlesAt("/two").filter((title) => /left out/.test(title))).toEqual([
    "3 further messages were left out",
  ]);
  expect([received(), sink.at("/other").length]).toEqual([202, 1]);

  await fire(world, home);
  await world.deliver();
  expect(received()).toBe(204);
});

test("e-mail has a tenth of the limit, which does not hold up other channels", async () => {
  startHour();
  const { home, owner, channels } = await freeHome(hook("/beside"));
  const body = { type: "email", name: "Mine", config: { to: [owner.user.email] } };
  const mail = (await owner.client.post("/channels", body)).body as Channel;
  const channel_ids = [...channels, mail].map(({ id }) => id);
  await owner.client.patch(`/alerts/${home.rule.id}`, { channel_ids });
  for (let index = 0; index < 22; index++) await fire(world, home);
  await world.deliver();
  const alerts = () =>
    h.mails.filter(({ to, subject }) => to === owner.user.email && !/Confirm/.test(subject));
  expect([alerts().length, sink.at("/beside").length]).toEqual([20, 22]);
  startHour();
  await summariseOverflows(h.app);
  await world.deliver();
  expect(
    alerts()
      .map(({ subject }) => subject)
      .filter((subject) => /2 further messages/.test(subject)),
  ).toHaveLength(1);
  expect(alerts()).toHaveLength(21);
});

test("a recipient gets a bounded number of messages from all orgs together, with some of each, and one summary of the rest", async () => {
  startHour();
  const [{ home, owner }, { owner: loud }] = [await freeHome(), await freeHome()];
  const alias = owner.user.email.replace("@", "+alerts@");
  const config = { to: [owner.user.email] };
  const mail = (await owner.client.post("/channels", { type: "email", name: "Mine", config }))
    .body as Channel;
  await owner.client.patch(`/alerts/${home.rule.id}`, { channel_id: null, channel_ids: [mail.id] });
  const admit = limitRecipients(h.app);
  const { ofOthers, reserved } = recipientLimits.email;
  const admitted: string[] = [];
  for (let index = 0; index < ofOthers + 5; index++)
    admitted.push(...(await admit(loud.org_id, "email", [alias])).admitted);
  expect(admitted, "an org alone is limited by its tier").toHaveLength(ofOthers + 5);
  const subjects = () =>
    h.mails.filter(({ to }) => to === owner.user.email || to === alias).map(({ subject }) => subject);
  for (let index = 0; index < reserved + 2; index++) await fire(world, home);
  await world.deliver();
  expect(subjects()).toHaveLength(reserved);
  const { body: skipped } = await owner.client.get("/deliveries", { query: { status: "skipped" } });
  expect(skipped).toMatchObject(
    Array(2).fill({ last_error: expect.stringContaining("The recipient reached the limit") }),
  );
  // An attempt that failed is not left out a second time.
  await (await admit(owner.org_id, "email", [owner.user.email])).undo();
  startHour();
  await summariseMessages.run(h.app);
  await h.runJobs();
  expect(subjects().filter((subject) => /left out/.test(subject))).toEqual([
    "2 further messages were left out",
  ]);
});

test("messages that the end of a silence releases count towards the limit", async () => {
  startHour();
  const { home, owner } = await freeHome(hook("/released"));
  const ends_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  await owner.client.post("/silences", { all: true, reason: "works", ends_at });
  for (let index = 0; index < 3; index++) await fire(world, home);
  await world.deliver();
  const used = { messages: tierLimits.free.messagesPerHour - 1, mails_and_texts: 0 };
  await addMessageCount(h.app.db, owner.org_id, messageHour(h.clock.now()), used);
  h.clock.advance(61);
  await world.deliver();
  expect(sink.at("/released")).toHaveLength(1);
  const { body } = await owner.client.get("/deliveries", { query: { status: "skipped" } });
  expect(body).toMatchObject(
    Array(2).fill({ last_error: expect.stringContaining("limit of messages per hour") }),
  );
  startHour();
  await summariseOverflows(h.app);
  await world.deliver();
  expect(titlesAt("/released").at(-1)).toBe("2 further messages were left out");
});
