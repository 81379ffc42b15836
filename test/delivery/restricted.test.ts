import { describe, expect, test } from "vitest";
import { raiseSystemAlerts } from "../../src/domain/alerts/system-alerts.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import { addContractWithRule, grant } from "../api/contracts/contract-steps.ts";
import { KeyClient, makeKey } from "../api/orgs/keys.ts";
import { errorReply, hour, join } from "../api/steps.ts";
import type { Person } from "../support/harness.ts";
import { fire, type Household, makeWorld, notify } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

const levels = ["none", "viewer", "editor", "admin"] as const;
type Level = (typeof levels)[number];

/** One org for all tests, with a person for each level of access. */
const org = await world.household();
const people = {} as Record<Level, Person>;
for (const level of levels) {
  people[level] = await join(h, org.owner, level === "admin" ? "admin" : "member");
  await people[level].client.post(`/orgs/${org.owner.org_id}/switch`);
}

/** A contract of the org with a rule, restricted to the people with grants. */
async function restrictedHome(): Promise<Household> {
  const home = { ...org, ...(await addContractWithRule(org.owner)) };
  for (const level of ["viewer", "editor"] as const)
    await grant(org.owner, home.contract.id, people[level], level);
  return home;
}

const redirect = ({ client }: Pick<Person, "client">, { id }: Channel, path: string) =>
  client.patch(`/channels/${id}`, { config: { url: sink.url(path) } });

const idsAt = (path: string) =>
  sink.at(path).flatMap(({ body }) => body.data.alerts.map(({ event_id }) => event_id));
const kindsAt = (path: string) => sink.at(path).map(({ kind }) => kind);

/** A system alert about the contract. */
const withoutRule = (home: Household) => ({ ...home, rule: { ...home.rule, id: null as unknown as string } });

describe("an alert on a restricted contract", () => {
  test.each(levels)(
    "reaches a channel that a member with the access level %s created only if they can see the contract",
    async (level) => {
      const home = await restrictedHome();
      const path = `/created/${level}`;
      const body = { type: "webhook", name: "Mine", config: { url: sink.url(path) } };
      const channel = (await people[level].client.post("/channels", body)).body as Channel;
      await home.setChannels(home.rule, channel);
      const event = await fire(world, home);
      const system = await fire(world, withoutRule(home), { kind: "no_data" });
      await world.deliver();
      expect(idsAt(path).sort()).toEqual(level === "none" ? [] : [event, system].sort());
      for (const event_id of [event, system]) {
        const deliveries = await home.deliveries({ event_id, channel_id: channel.id });
        expect(deliveries).toMatchObject([{ status: level === "none" ? "skipped" : "sent" }]);
      }
      // The system alerts of later tests go to every channel of the org.
      await home.owner.client.delete(`/channels/${channel.id}`, { query: { force: "true" } });
    },
  );

  test.each(levels)(
    "is not sent to the new address of a channel that the access level %s redirected, if they cannot see the contract",
    async (level) => {
      const home = await restrictedHome();
      const channel = await home.channel("/shared/before");
      await home.setChannels(home.rule, channel);
      const path = `/shared/${level}`;
      expect((await redirect(people[level], channel, path)).status).toBe(200);
      await fire(world, home);
      await world.deliver();
      expect(kindsAt(path)).toEqual(level === "none" ? [] : ["fired"]);
    },
  );

  test.each(levels)(
    "is not sent to the new address that the access level %s set by a configuration, if they cannot see the contract",
    async (level) => {
      const home = await restrictedHome();
      const path = `/configured/${level}`;
      const { id, name, type } = await home.channel(`${path}/before`);
      await home.setChannels(home.rule, { id, name, type } as Channel);
      const document = { version: 1, channels: [{ type, name, config: { url: sink.url(path) } }] };
      const reply = await people[level].client.post("/config/apply", document);
      expect([reply.status, reply.body]).toMatchObject([200, { summary: { update: 1 } }]);
      const event_id = await fire(world, home);
      await world.deliver();
      expect(kindsAt(path)).toEqual(level === "none" ? [] : ["fired"]);
      expect(sink.at(`${path}/before`)).toEqual([]);
      expect(await home.deliveries({ event_id })).toMatchObject([
        { status: level === "none" ? "skipped" : "sent" },
      ]);
    },
  );

  test("is withheld with a reason, and delivered again once an admin saves the channel", async () => {
    const home = await restrictedHome();
    const channel = await home.channel("/withheld/before");
    await home.setChannels(home.rule, channel);
    await redirect(people.none, channel, "/withheld/after");
    const event_id = await fire(world, home);
    await world.deliver();
    const [delivery] = await home.deliveries({ event_id });
    expect(delivery).toMatchObject({
      status: "skipped",
      last_error: expect.stringMatching(/^Withheld: .*save/),
    });
    // A replay by an editor does not change who configured the channel.
    expect((await people.editor.client.post(`/deliveries/${delivery?.id}/replay`)).status).toBe(200);
    await world.deliver();
    expect(sink.at("/withheld/after")).toEqual([]);
    expect((await home.owner.client.patch(`/channels/${channel.id}`, { name: "Checked" })).status).toBe(200);
    expect((await home.owner.client.post(`/deliveries/${delivery?.id}/replay`)).status).toBe(200);
    await world.deliver();
    expect(kindsAt("/withheld/after")).toEqual(["fired"]);
  });

  test("that would be withheld is announced to the people with access and by mail to the admins, until the channel is saved", async () => {
    const home = await restrictedHome();
    const channel = await home.channel("/announced/before");
    await home.setChannels(home.rule, channel);
    const events = async ({ client }: Pick<Person, "client">) =>
      (await client.get("/alerts/history", { query: { contract_id: home.contract.id } })).body;
    await raiseSystemAlerts(h.app);
    expect(await events(home.owner)).toEqual([]);
    await redirect(people.none, channel, "/announced/after");
    await raiseSystemAlerts(h.app);
    await raiseSystemAlerts(h.app);
    const open = { status: "firing", target_type: "channel", title: expect.stringContaining(channel.name) };
    expect(await events(home.owner)).toMatchObject([open]);
    expect(await events(people.viewer)).toMatchObject([open]);
    expect((await people.none.client.get(`/contracts/${home.contract.id}`)).status).toBe(404);
    expect(await events(people.none)).not.toMatchObject([open]);
    await h.runJobs();
    const mailed = h.mails.filter(({ subject }) => subject.includes(`the channel ${channel.name}`));
    expect(mailed.map(({ to }) => to).sort()).toEqual(
      [home.owner, people.admin].map(({ user }) => user.email).sort(),
    );
    expect((await home.owner.client.patch(`/channels/${channel.id}`, { name: "Checked" })).status).toBe(200);
    await raiseSystemAlerts(h.app);
    expect(await events(home.owner)).toMatchObject([{ status: "resolved" }]);
  });

  test("that waits for a retry is not sent to an address that someone without access sets meanwhile", async () => {
    const home = await restrictedHome();
    const channel = await home.channel("/retry/before");
    sink.on("/retry/before", () => 503);
    await home.setChannels(home.rule, channel);
    const event = await fire(world, home);
    await world.deliver();
    await redirect(people.none, channel, "/retry/after");
    await notify(world, home, event, "resolved");
    await world.deliverAll();
    expect(kindsAt("/retry/before").length).toBeGreaterThan(0);
    expect(sink.at("/retry/after")).toEqual([]);
    expect(new Set((await home.deliveries({ channel_id: channel.id })).map(({ status }) => status))).toEqual(
      new Set(["skipped"]),
    );
  });

  test("is still delivered when someone without access renames the channel", async () => {
    const home = await restrictedHome();
    const channel = await home.channel("/renamed");
    await home.setChannels(home.rule, channel);
    const rename = { name: "Renamed", config: { url: sink.url("/renamed") } };
    expect((await people.none.client.patch(`/channels/${channel.id}`, rename)).status).toBe(200);
    await fire(world, home);
    await world.deliver();
    expect(kindsAt("/renamed")).toEqual(["fired"]);
  });

  const losses: [string, (client: Person["client"], id: string) => Promise<{ status: number }>][] = [
    ["deletes", (client, id) => client.delete(`/channels/${id}`, { query: { force: "true" } })],
    ["switches off", (client, id) => client.patch(`/channels/${id}`, { is_enabled: false })],
    ["raises the severity of", (client, id) => client.patch(`/channels/${id}`, { min_severity: "critical" })],
    [
      "prunes",
      (client) => client.post("/config/apply", { version: 1, prune: true, channels: [], contracts: [] }),
    ],
  ];

  test.each(losses)(
    "is not lost because a member %s its channel without write access to the contract",
    async (action, lose) => {
      const home = await restrictedHome();
      const path = `/kept/${action.replaceAll(" ", "-")}`;
      const channel = await home.channel(path);
      await home.setChannels(home.rule, channel);
      for (const level of ["none", "viewer"] as const)
        expect(await lose(people[level].client, channel.id)).toMatchObject(errorReply(403, "role_required"));
      await fire(world, home);
      await world.deliver();
      expect(kindsAt(path)).toEqual(["fired"]);
      const { body } = await home.owner.client.get("/audit-log", {
        query: { action: "access.denied", limit: "2" },
      });
      expect(body).toMatchObject(
        Array(2).fill({ action: "access.denied", details: { reason: "role_required" } }),
      );
      if (action !== "prunes") expect((await lose(people.editor.client, channel.id)).status).toBe(200);
    },
  );

  test("does not reach the channel of a person whose grant was revoked", async () => {
    const home = await restrictedHome();
    const body = { type: "webhook", name: "Mine", config: { url: sink.url("/revoked") } };
    const channel = (await people.viewer.client.post("/channels", body)).body as Channel;
    await home.setChannels(home.rule, channel);
    await home.owner.client.delete(`/contracts/${home.contract.id}/access/${people.viewer.user.id}`);
    await fire(world, home);
    await world.deliver();
    expect(sink.at("/revoked")).toEqual([]);
  });

  test("reaches a channel that an unrestricted API key created", async () => {
    const home = await restrictedHome();
    const key = new KeyClient(h, (await makeKey(home.owner)).key);
    const body = { type: "webhook", name: "CI", config: { url: sink.url("/key") } };
    const channel = (await key.post("/channels", body)).body as Channel;
    await home.setChannels(home.rule, channel);
    await fire(world, home);
    await world.deliver();
    expect(kindsAt("/key")).toEqual(["fired"]);
  });

  test("shares no message with alerts of the same transaction that the channel may receive", async () => {
    const home = await restrictedHome();
    const open = { owner: home.owner, ...(await addContractWithRule(home.owner)) };
    const body = { type: "webhook", name: "Mine", config: { url: sink.url("/group") } };
    const channel = (await people.none.client.post("/channels", body)).body as Channel;
    await home.setChannels(home.rule, channel);
    await home.setChannels(open.rule, channel);
    const tx_hash = `0x${"7".repeat(64)}`;
    await fire(world, home, { tx_hash });
    const visible = await fire(world, open, { tx_hash });
    await world.deliver();
    expect(idsAt("/group")).toEqual([visible]);
  });

  test("is left out of a waiting message of several alerts once the channel may not receive it", async () => {
    const home = await restrictedHome();
    const open = { owner: home.owner, ...(await addContractWithRule(home.owner)) };
    const channel = await home.channel("/mixed/before");
    sink.on("/mixed/before", () => 503);
    for (const { rule } of [home, open]) await home.setChannels(rule, channel);
    const tx_hash = `0x${"8".repeat(64)}`;
    const hidden = await fire(world, home, { tx_hash });
    const visible = await fire(world, open, { tx_hash });
    await world.deliver();
    expect(idsAt("/mixed/before").sort()).toEqual([hidden, visible].sort());
    await redirect(people.none, channel, "/mixed/after");
    await world.deliverAll();
    expect(idsAt("/mixed/after")).toEqual([visible]);
  });

  test("whose contract is deleted is resolved only on channels that were not redirected since", async () => {
    const home = await restrictedHome();
    const [kept, moved] = [await home.channel("/deleted/kept"), await home.channel("/deleted/moved")];
    await home.setChannels(home.rule, kept, moved);
    const event = await fire(world, home);
    await world.deliver();
    h.clock.advance(60);
    await redirect(people.none, moved, "/deleted/elsewhere");
    await home.owner.client.delete(`/contracts/${home.contract.id}`);
    await notify(world, home, event, "resolved");
    await world.deliver();
    expect(kindsAt("/deleted/kept")).toContain("resolved");
    expect(sink.at("/deleted/elsewhere")).toEqual([]);
  });
});

describe("a silence", () => {
  const matches: [string, object][] = [
    ["everything", { all: true }],
    ["a label", { label: "treasury" }],
    ["a severity", { severity: "critical" }],
  ];
  const cases = matches.flatMap(([what, match]) => levels.map((level) => [what, level, match] as const));

  test.each(cases)(
    "for %s by a person with the access level %s covers a restricted contract only if they may change it",
    async (what, level, match) => {
      const home = await restrictedHome();
      const path = `/silence/${what.replace(" ", "-")}/${level}`;
      await home.owner.client.post(`/contracts/${home.contract.id}/labels`, { value: "treasury" });
      await home.setChannels(home.rule, await home.channel(path));
      const ends_at = new Date(h.clock.now().getTime() + hour * 1000).toISOString();
      const body = { ...match, reason: "Planned", ends_at };
      const created = await people[level].client.post("/silences", body);
      expect(created.status).toBe(201);
      await fire(world, home);
      await world.deliver();
      const mayChange = level === "editor" || level === "admin";
      expect(kindsAt(path)).toEqual(mayChange ? [] : ["fired"]);
      // Ending it would notify of the contract, so it needs the same access.
      const { id } = created.body as { id: string };
      const ended = await people.none.client.delete(`/silences/${id}`);
      expect(ended.status).toBe(mayChange ? 403 : 200);
      await people.admin.client.delete(`/silences/${id}`);
    },
  );
});
