import { sql } from "kysely";
import { expect, test } from "vitest";
import type { AuditEntry } from "../../../src/wire/orgs/audit-log.ts";
import type { Invite } from "../../../src/wire/orgs/invites.ts";
import type { Org } from "../../../src/wire/orgs/orgs.ts";
import type { Client, Reply } from "../../support/client.ts";
import { harness, type Person } from "../../support/harness.ts";
import { FakeStripe } from "../billing/stripe.ts";
import {
  addContract,
  addContractWithRule,
  addDelivery,
  addTarget,
  freshAddress,
  grant,
  recordEvent,
  ruleBody,
} from "../contracts/contract-steps.ts";
import { dump, errorReply, invite, join, teamAdmin } from "../steps.ts";

const stripe = await FakeStripe.start();
const h = await harness({ env: stripe.env });

const read = async (person: Person, query: Record<string, string> = {}) =>
  (await person.client.get("/audit-log", { query })).body as AuditEntry[];
const actions = (entries: AuditEntry[]) => entries.map((entry) => entry.action);

test.each([
  ["update", sql`update audit_log set action = 'nothing.happened'`],
  ["update of one field to itself", sql`update audit_log set ip = ip`],
  ["delete", sql`delete from audit_log`],
  ["truncate", sql`truncate audit_log`],
  ["truncate cascade", sql`truncate orgs cascade`],
  [
    "upsert",
    sql`insert into audit_log select * from audit_log limit 1 on conflict (id) do update set action = 'x.y'`,
  ],
])("audit entries cannot be changed by an SQL %s", async (_what, statement) => {
  await h.person();
  const before = (await dump(h)).audit_log;
  expect(before?.length).toBeGreaterThan(0);
  await expect(statement.execute(h.app.db)).rejects.toThrow("audit_log is append-only");
  expect((await dump(h)).audit_log).toEqual(before);
});

const smsBody = { type: "sms", name: "Phone", config: { to: "+15551234567" } };
const silenceBody = { all: true, reason: "Planned", ends_at: "2999-01-01T00:00:00Z" };

const idOf = (reply: Reply) => (reply.body as { id?: string }).id;

/** Performs an action on a new contract of the admin. */
function onContract(perform: (client: Client, path: string, admin: Person) => Promise<Reply>) {
  return async (admin: Person) => {
    const { id } = await addContract(admin);
    return {
      client: admin.client,
      reply: await perform(admin.client, `/contracts/${id}`, admin),
      subject: id,
    };
  };
}

/** Every action that changes an org, with the details of its audit entry. */
const actionCases: [
  action: string,
  details: object,
  act: (admin: Person) => Promise<{ client: Client; reply: Reply; subject: string | undefined }>,
][] = [
  [
    "org.updated",
    { fields: ["name"] },
    async (admin) => ({
      client: admin.client,
      reply: await admin.client.patch(`/orgs/${admin.org_id}`, { name: "Renamed" }),
      subject: admin.org_id,
    }),
  ],
  [
    "org.settings_updated",
    { polling_interval_seconds: 77 },
    async (admin) => ({
      client: admin.client,
      reply: await admin.client.patch(`/orgs/${admin.org_id}/settings`, { polling_interval_seconds: 77 }),
      subject: admin.org_id,
    }),
  ],
  [
    "invite.created",
    { email: "guest@example.com", role: "viewer" },
    async (admin) => {
      const reply = await admin.client.post(`/orgs/${admin.org_id}/invites`, {
        email: "guest@example.com",
        role: "viewer",
      });
      return { client: admin.client, reply, subject: (reply.body as Invite).id };
    },
  ],
  [
    "invite.revoked",
    {},
    async (admin) => {
      const { id } = (
        await admin.client.post(`/orgs/${admin.org_id}/invites`, { email: "g@example.com", role: "viewer" })
      ).body as Invite;
      return {
        client: admin.client,
        reply: await admin.client.delete(`/orgs/${admin.org_id}/invites/${id}`),
        subject: id,
      };
    },
  ],
  [
    "invite.accepted",
    { role: "admin" },
    async (admin) => {
      const guest = await h.person("guest");
      const token = await invite(admin, guest.user.email, "admin");
      const [{ id } = { id: "" }] = (await admin.client.get(`/orgs/${admin.org_id}/invites`))
        .body as Invite[];
      return {
        client: guest.client,
        reply: await guest.client.post(`/invites/${token}/accept`),
        subject: id,
      };
    },
  ],
  [
    "member.role_changed",
    { from: "viewer", to: "member" },
    async (admin) => {
      const { user } = await join(h, admin, "viewer");
      const reply = await admin.client.patch(`/orgs/${admin.org_id}/members/${user.id}`, { role: "member" });
      return { client: admin.client, reply, subject: user.id };
    },
  ],
  [
    "member.removed",
    { role: "member" },
    async (admin) => {
      const { user } = await join(h, admin, "member");
      return {
        client: admin.client,
        reply: await admin.client.delete(`/orgs/${admin.org_id}/members/${user.id}`),
        subject: user.id,
      };
    },
  ],
  [
    "org.tier_changed",
    { from: "team", to: "enterprise" },
    async (admin) => {
      const staff = await h.staff();
      return {
        client: staff,
        reply: await staff.patch(`/admin/orgs/${admin.org_id}`, { tier: "enterprise" }),
        subject: admin.org_id,
      };
    },
  ],
  [
    "org.flags_changed",
    { bridge_detection: true },
    async (admin) => {
      const staff = await h.staff();
      const reply = await staff.patch(`/admin/orgs/${admin.org_id}`, {
        feature_flags: { bridge_detection: true },
      });
      return { client: staff, reply, subject: admin.org_id };
    },
  ],
  [
    "contract.created",
    { chain: "local", address: `0x${"5".repeat(40)}` },
    async ({ client }) => {
      const reply = await client.post("/contracts", { chain: "local", address: `0x${"5".repeat(40)}` });
      return { client, reply, subject: idOf(reply) };
    },
  ],
  ["contract.updated", {}, onContract((client, path) => client.patch(path, { label: "Vault" }))],
  ["contract.paused", {}, onContract((client, path) => client.post(`${path}/pause`))],
  ["contract.resumed", {}, onContract((client, path) => client.post(`${path}/resume`))],
  ["contract.deleted", { chain: "local" }, onContract((client, path) => client.delete(path))],
  [
    "label.created",
    { key: "team", value: "treasury" },
    onContract((client, path) => client.post(`${path}/labels`, { key: "team", value: "treasury" })),
  ],
  [
    "label.replaced",
    { count: 2 },
    onContract((client, path) => client.put(`${path}/labels`, { labels: [{ value: "a" }, { value: "b" }] })),
  ],
  [
    "label.deleted",
    {},
    onContract(async (client, path) => {
      const label = await client.post(`${path}/labels`, { value: "treasury" });
      return client.delete(`${path}/labels/${idOf(label)}`);
    }),
  ],
  [
    "contract.access_granted",
    { role: "editor" },
    onContract((client, path, { user }) =>
      client.post(`${path}/access`, { user_id: user.id, role: "editor" }),
    ),
  ],
  [
    "contract.access_revoked",
    {},
    onContract(async (client, path, admin) => {
      await grant(admin, path.split("/")[2] ?? "", admin);
      return client.delete(`${path}/access/${admin.user.id}`);
    }),
  ],
  [
    "target.created",
    { target_type: "tx_rate" },
    async (admin) => {
      const { id } = await addContract(admin);
      const reply = await admin.client.post(`/contracts/${id}/targets`, { target_type: "tx_rate" });
      return { client: admin.client, reply, subject: idOf(reply) };
    },
  ],
  [
    "target.updated",
    { fields: ["name", "is_enabled"] },
    async (admin) => {
      const { id } = await addTarget(admin, (await addContract(admin)).id);
      const reply = await admin.client.patch(`/targets/${id}`, { name: "Traffic", is_enabled: false });
      return { client: admin.client, reply, subject: id };
    },
  ],
  [
    "target.deleted",
    { target_type: "tx_rate" },
    async (admin) => {
      const { id } = await addTarget(admin, (await addContract(admin)).id);
      return { client: admin.client, reply: await admin.client.delete(`/targets/${id}`), subject: id };
    },
  ],
  [
    "rule.created",
    {},
    async (admin) => {
      const { target } = await addContractWithRule(admin);
      const reply = await admin.client.post("/alerts", ruleBody(target.id));
      return { client: admin.client, reply, subject: idOf(reply) };
    },
  ],
  [
    "rule.created",
    { target_id: expect.any(String) },
    async (admin) => {
      const { id } = await addContract(admin);
      const channel_id = idOf(await admin.client.post("/channels", smsBody));
      const body = { category: "bridge", channel_id, template_ids: ["bridge_silent"] };
      const reply = await admin.client.post(`/contracts/${id}/alert-templates/apply`, body);
      return { client: admin.client, reply, subject: (reply.body as { rule_ids: string[] }).rule_ids[0] };
    },
  ],
  [
    "config.applied",
    { created: 1, updated: 0, deleted: 0 },
    async (admin) => {
      const reply = await admin.client.post("/config/apply", { version: 1, channels: [smsBody] });
      return { client: admin.client, reply, subject: admin.org_id };
    },
  ],
  [
    "rule.updated",
    { fields: ["severity"] },
    async (admin) => {
      const { rule } = await addContractWithRule(admin);
      const reply = await admin.client.patch(`/alerts/${rule.id}`, { severity: "info" });
      return { client: admin.client, reply, subject: rule.id };
    },
  ],
  [
    "rule.deleted",
    { name: "Transactions above 1" },
    async (admin) => {
      const { rule } = await addContractWithRule(admin);
      return {
        client: admin.client,
        reply: await admin.client.delete(`/alerts/${rule.id}`),
        subject: rule.id,
      };
    },
  ],
  [
    "channel.created",
    { type: "sms", name: "Phone" },
    async ({ client }) => {
      const reply = await client.post("/channels", smsBody);
      return { client, reply, subject: idOf(reply) };
    },
  ],
  [
    "channel.updated",
    { fields: ["name", "config"] },
    async ({ client }) => {
      const id = idOf(await client.post("/channels", smsBody));
      const reply = await client.patch(`/channels/${id}`, { name: "Other", config: { to: "+15557654321" } });
      return { client, reply, subject: id };
    },
  ],
  [
    "channel.deleted",
    { type: "sms", name: "Phone" },
    async ({ client }) => {
      const id = idOf(await client.post("/channels", smsBody));
      return { client, reply: await client.delete(`/channels/${id}`), subject: id };
    },
  ],
  [
    "channel.tested",
    { sent: true },
    async ({ client, user }) => {
      const body = { type: "email", name: "On-call", config: { to: [user.email] } };
      const id = idOf(await client.post("/channels", body));
      return { client, reply: await client.post(`/channels/${id}/test`), subject: id };
    },
  ],
  [
    "delivery.replayed",
    { kind: "fired" },
    async (admin) => {
      const event = await recordEvent(h, admin.org_id, await addContractWithRule(admin));
      const id = await addDelivery(h, admin.org_id, event);
      const reply = await admin.client.post(`/deliveries/${id}/replay`);
      return { client: admin.client, reply, subject: id };
    },
  ],
  [
    "silence.created",
    { all: true, reason: "Planned" },
    async ({ client }) => {
      const reply = await client.post("/silences", silenceBody);
      return { client, reply, subject: idOf(reply) };
    },
  ],
  [
    "silence.deleted",
    { reason: "Planned" },
    async ({ client }) => {
      const id = idOf(await client.post("/silences", silenceBody));
      return { client, reply: await client.delete(`/silences/${id}`), subject: id };
    },
  ],
  [
    "billing.checkout_started",
    { tier: "pro" },
    async ({ client }) => {
      const reply = await client.post("/billing/checkout", { tier: "pro" });
      return { client, reply, subject: (reply.body as { session_id: string }).session_id };
    },
  ],
  [
    "billing.portal_opened",
    {},
    async ({ client, org_id }) => ({ client, reply: await client.post("/billing/portal"), subject: org_id }),
  ],
  [
    "event.acknowledged",
    {},
    async (admin) => {
      const id = await recordEvent(h, admin.org_id, await addContractWithRule(admin));
      const reply = await admin.client.post(`/alerts/events/${id}/acknowledge`);
      return { client: admin.client, reply, subject: id };
    },
  ],
];

test.each(actionCases)(
  "%s is recorded with the details %j, the actor, the IP address and the request id",
  async (action, details, perform) => {
    const admin = await teamAdmin(h);
    const { client, reply, subject } = await perform(admin);
    expect(reply.status).toBeLessThan(300);
    const isStaff = client.cookies.has("admin_token");
    const me = isStaff ? undefined : ((await client.get("/auth/me")).body as { id: string; name: string });
    expect(await read(admin, { action, limit: "1" })).toMatchObject([
      {
        action,
        actor: isStaff
          ? { type: "staff", id: expect.any(String), name: "Staff" }
          : { type: "user", id: me?.id, name: me?.name },
        subject: { id: subject },
        details,
        request_id: reply.headers["x-request-id"],
        ip: client.ip,
      },
    ]);
  },
);

test("the audit log of an org starts with the sign-up or the creation of the org", async () => {
  const ada = await h.signUp();
  expect(await read(ada)).toMatchObject([
    { action: "user.created", subject: { type: "user", id: ada.user.id }, ip: ada.client.ip },
  ]);
  const org = (await ada.client.post("/orgs", { name: "Second" })).body as Org;
  await ada.client.post(`/orgs/${org.id}/switch`);
  expect(await read(ada)).toMatchObject([
    {
      action: "org.created",
      actor: { type: "user", id: ada.user.id },
      subject: { type: "org", id: org.id },
      details: { name: "Second" },
    },
  ]);
});

test("rejected requests leave no audit entry", async () => {
  const admin = await teamAdmin(h);
  const before = await read(admin);
  await admin.client.delete(`/orgs/${admin.org_id}/members/${admin.user.id}`);
  await admin.client.patch(`/orgs/${admin.org_id}/settings`, { polling_interval_seconds: 1 });
  await admin.client.post(`/orgs/${admin.org_id}/invites`, { email: admin.user.email, role: "member" });
  await admin.client.post("/contracts", { chain: "atlantis", address: freshAddress() });
  await admin.client.post("/alerts", ruleBody(admin.org_id));
  expect(await read(admin)).toEqual(before);
});

test("audit entries are listed newest first and paged without overlap", async () => {
  const admin = await h.person();
  for (let count = 0; count < 7; count++)
    await admin.client.patch(`/orgs/${admin.org_id}`, { name: `Name ${count}` });
  const all = await read(admin);
  expect(all).toHaveLength(8);
  const times = all.map((entry) => entry.created_at);
  expect(times).toEqual([...times].sort().reverse());
  const pages = [];
  for (let offset = 0; offset < 9; offset += 3)
    pages.push(...(await read(admin, { limit: "3", offset: String(offset) })));
  expect(pages).toEqual(all);
});

test("audit log pages with a fixed `to` do not shift when new entries arrive", async () => {
  const admin = await h.person();
  for (let count = 0; count < 5; count++)
    await admin.client.patch(`/orgs/${admin.org_id}`, { name: `Name ${count}` });
  const to = h.clock.now().toISOString();
  const all = await read(admin, { to });
  h.clock.advance(1);
  const pages = [];
  for (let offset = 0; offset < 6; offset += 2) {
    await admin.client.patch(`/orgs/${admin.org_id}`, { name: `Later ${offset}` });
    pages.push(...(await read(admin, { to, limit: "2", offset: String(offset) })));
  }
  expect(pages).toEqual(all);
});

test("audit entries can be filtered by action and by an inclusive time range", async () => {
  const admin = await h.person();
  h.clock.advance(10);
  await admin.client.patch(`/orgs/${admin.org_id}`, { name: "First" });
  h.clock.advance(10);
  await admin.client.patch(`/orgs/${admin.org_id}/settings`, { polling_interval_seconds: 600 });
  const [settingsChanged, renamed, created] = await read(admin);
  expect(actions(await read(admin, { action: "org.updated" }))).toEqual(["org.updated"]);
  expect(await read(admin, { action: "org.destroyed" })).toEqual([]);
  expect(await read(admin, { from: renamed?.created_at ?? "" })).toEqual([settingsChanged, renamed]);
  expect(await read(admin, { to: renamed?.created_at ?? "" })).toEqual([renamed, created]);
  expect(await read(admin, { from: "2999-01-01T00:00:00+02:00" })).toEqual([]);
});

test.each([
  { limit: "0" },
  { limit: "201" },
  { offset: "-1" },
  { offset: "10001" },
  { from: "yesterday" },
  { org_id: "x" },
])("the audit log query %j gets 422", async (query) => {
  const admin = await h.person();
  expect((await admin.client.get("/audit-log", { query: query as Record<string, string> })).status).toBe(422);
});

test("an org sees neither the audit entries of another org nor those of the platform", async () => {
  const [ada, bob] = [await teamAdmin(h), await teamAdmin(h)];
  await bob.client.patch(`/orgs/${bob.org_id}`, { name: "Secret plan" });
  await (await h.staff()).patch("/admin/chains/base", { is_enabled: false });
  const seen = await read(ada, { limit: "200" });
  expect(new Set(actions(seen))).toEqual(new Set(["user.created"]));
  expect(JSON.stringify(seen)).not.toContain(bob.user.id);
});

test("the audit log is visible to admins of the active org only", async () => {
  const admin = await teamAdmin(h);
  for (const role of ["viewer", "member"] as const) {
    const person = await join(h, admin, role);
    expect(await person.client.get("/audit-log")).toMatchObject(errorReply(403, "admin_required"));
  }
  expect(await h.anonymous().get("/audit-log")).toMatchObject(errorReply(401, "unauthenticated"));
});
