import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import type { Faults } from "../../../src/faults.ts";
import type { Invite } from "../../../src/wire/orgs/invites.ts";
import type { Reply } from "../../support/client.ts";
import { harness, type Person } from "../../support/harness.ts";
import { errorReply, invite, teamAdmin, untilLockWait } from "../steps.ts";

let onFault: Faults["hit"] = () => undefined;
const h = await harness({ faults: { hit: (point) => onFault(point) } });

afterEach(() => {
  onFault = () => undefined;
});

const createOrg = ({ client }: Person, key: string, name = "Founded") =>
  client.post("/orgs", { name }, { headers: { "idempotency-key": key } });
const orgsOf = async ({ client }: Person) => ((await client.get("/orgs")).body as unknown[]).length;
const rowsOf = ({ user }: Person) =>
  h.app.db.selectFrom("idempotency_keys").selectAll().where("principal", "=", `user:${user.id}`).execute();
const isReplay = (reply: Reply) => reply.headers["idempotency-replayed"] === "true";

test("a repeated Idempotency-Key gets the first reply, marked as replayed, and has no effect", async () => {
  const ada = await h.person();
  const [first, second] = [await createOrg(ada, "key-1"), await createOrg(ada, "key-1")];
  expect(first.status).toBe(201);
  expect(second).toMatchObject({ status: 201, text: first.text });
  expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
  expect(await orgsOf(ada)).toBe(2);
});

test("eight concurrent requests with one Idempotency-Key create one org", async () => {
  const ada = await h.person();
  const replies = await Promise.all(Array.from({ length: 8 }, () => createOrg(ada, "parallel")));
  const [created] = replies.filter((reply) => reply.status === 201);
  for (const reply of replies) {
    if (reply.status === 201) expect(reply.text).toBe(created?.text);
    else expect(reply).toMatchObject(errorReply(409, "idempotency_in_progress"));
    if (reply.status === 409) expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  }
  expect(replies.filter((reply) => reply.status === 201 && !isReplay(reply))).toHaveLength(1);
  expect(await orgsOf(ada)).toBe(2);
});

test("an Idempotency-Key reused with another body or path is rejected", async () => {
  const admin = await teamAdmin(h);
  await createOrg(admin, "reused");
  const headers = { "idempotency-key": "reused" };
  for (const reply of [
    await createOrg(admin, "reused", "Another name"),
    await admin.client.post(`/orgs/${admin.org_id}/switch`, undefined, { headers }),
    await admin.client.post("/auth/resend-verification", undefined, { headers }),
  ]) {
    expect(reply).toMatchObject(errorReply(409, "idempotency_key_reused"));
  }
  expect(await orgsOf(admin)).toBe(2);
});

test("a large body, which a worker thread validates, is replayed and compared as well", async () => {
  const ada = await h.person();
  const send = (name: string) =>
    ada.client.post("/orgs", JSON.stringify({ name }) + " ".repeat(40_000), {
      headers: { "idempotency-key": "large", "content-type": "application/json" },
    });
  const [first, second] = [await send("Founded"), await send("Founded")];
  expect(first.status).toBe(201);
  expect(second).toMatchObject({ status: 201, text: first.text });
  expect(isReplay(second)).toBe(true);
  expect(await send("Another")).toMatchObject(errorReply(409, "idempotency_key_reused"));
  expect(await orgsOf(ada)).toBe(2);
});

test("the same Idempotency-Key of another user is independent", async () => {
  const [ada, bob] = [await h.person(), await h.person()];
  const [adaReply, bobReply] = [await createOrg(ada, "shared"), await createOrg(bob, "shared", "Different")];
  expect([adaReply.status, bobReply.status]).toEqual([201, 201]);
  expect(isReplay(bobReply)).toBe(false);
  expect(bobReply.text).not.toBe(adaReply.text);
});

test("a rejected request does not consume its Idempotency-Key", async () => {
  const admin = await h.person();
  const send = () =>
    admin.client.post(
      `/orgs/${admin.org_id}/invites`,
      { email: "guest@example.com", role: "viewer" },
      { headers: { "idempotency-key": "invite" } },
    );
  expect(await send()).toMatchObject(errorReply(403, "tier_required"));
  await h.setTier(admin.org_id, "team");
  const blocker = await invite(admin, "guest@example.com");
  expect(await send()).toMatchObject(errorReply(409, "already_invited"));
  expect(await rowsOf(admin)).toEqual([]);
  const [row] = (await admin.client.get(`/orgs/${admin.org_id}/invites`)).body as Invite[];
  await admin.client.delete(`/orgs/${admin.org_id}/invites/${row?.id}`);
  expect(blocker).not.toBe("");
  expect((await send()).status).toBe(201);
  expect(isReplay(await send())).toBe(true);
});

test("a request that fails before its commit has no effect and stores no Idempotency-Key", async () => {
  const ada = await h.person();
  onFault = (point) => {
    if (point === "write.before_commit") throw new Error("the process died");
  };
  expect((await createOrg(ada, "crash")).status).toBe(500);
  onFault = () => undefined;
  expect(await orgsOf(ada)).toBe(1);
  const again = await createOrg(ada, "crash");
  expect([again.status, isReplay(again)]).toEqual([201, false]);
});

test("a request that fails after its commit is answered from the stored reply", async () => {
  const ada = await h.person();
  onFault = (point) => {
    if (point === "write.after_commit") throw new Error("the process died");
  };
  expect((await createOrg(ada, "lost")).status).toBe(500);
  onFault = () => undefined;
  const again = await createOrg(ada, "lost");
  expect([again.status, isReplay(again)]).toEqual([201, true]);
  expect(await orgsOf(ada)).toBe(2);
});

test("the Idempotency-Key of a request that died can be used again after 30 seconds", async () => {
  const ada = await h.person();
  await createOrg(ada, "dead");
  // The state after a process was killed between reserving the key and committing.
  await h.app.db
    .updateTable("idempotency_keys")
    .set({ status: null, sealed_reply: null })
    .where("key", "=", "dead")
    .execute();
  expect(await createOrg(ada, "dead")).toMatchObject(errorReply(409, "idempotency_in_progress"));
  h.clock.advance(31);
  expect(await createOrg(ada, "dead", "Another name")).toMatchObject(
    errorReply(409, "idempotency_key_reused"),
  );
  const reused = await createOrg(ada, "dead");
  expect([reused.status, isReplay(reused)]).toEqual([201, false]);
  expect(isReplay(await createOrg(ada, "dead"))).toBe(true);
});

test("a slow request that lost its Idempotency-Key to a repeat changes nothing", async () => {
  const ada = await h.person();
  let replies: Promise<Reply[]> | undefined;
  await h.app.db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${ada.user.id} for update`.execute(tx);
    const slow = createOrg(ada, "slow");
    await untilLockWait(h);
    h.clock.advance(31);
    replies = Promise.all([slow, createOrg(ada, "slow")]);
    await untilLockWait(h, undefined, 2);
  });
  const statuses = (await replies)?.map((reply) => reply.status);
  expect(statuses).toEqual([409, 201]);
  expect(await orgsOf(ada)).toBe(2);
  expect(isReplay(await createOrg(ada, "slow"))).toBe(true);
});

test("a reply without a body is stored for its Idempotency-Key", async () => {
  const ada = await h.person();
  const send = () =>
    ada.client.post(`/orgs/${ada.org_id}/switch`, undefined, { headers: { "idempotency-key": "empty" } });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, second.text, isReplay(second)]).toEqual([204, 204, "", true]);
});

test("stored replies are encrypted for their caller and Idempotency-Key", async () => {
  const admin = await teamAdmin(h);
  const headers = { "idempotency-key": "sealed" };
  const reply = await admin.client.post(
    `/orgs/${admin.org_id}/invites`,
    { email: "secret@example.com", role: "viewer" },
    { headers },
  );
  const token = (reply.body as Invite).invite_url?.split("#")[1] ?? "";
  const [row] = await rowsOf(admin);
  expect(token).toHaveLength(43);
  for (const text of [token, "secret@example.com", "invite_url"]) {
    expect(row?.sealed_reply?.includes(Buffer.from(text))).toBe(false);
  }
  const other = await h.person();
  await createOrg(other, "sealed");
  await h.app.db
    .updateTable("idempotency_keys")
    .set({ sealed_reply: row?.sealed_reply ?? null })
    .where("principal", "=", `user:${other.user.id}`)
    .execute();
  const stolen = await createOrg(other, "sealed");
  expect(stolen.status).toBe(500);
  expect(stolen.text).not.toContain(token);
});

test("a stored reply is not returned to a caller who lost the permission", async () => {
  const admin = await teamAdmin(h);
  const headers = { "idempotency-key": "downgraded" };
  const send = () =>
    admin.client.post(
      `/orgs/${admin.org_id}/invites`,
      { email: "g@example.com", role: "viewer" },
      { headers },
    );
  expect((await send()).status).toBe(201);
  await h.setTier(admin.org_id, "free");
  expect(await send()).toMatchObject(errorReply(403, "tier_required"));
});

test("an Idempotency-Key is deleted after a day", async () => {
  const ada = await h.person();
  await createOrg(ada, "old");
  h.clock.advance(24 * 60 * 60 + 1);
  await h.runJobs();
  expect(await rowsOf(ada)).toEqual([]);
});

test.each(["", " ", "with space", "x".repeat(256), "ünïcode"])(
  "the Idempotency-Key %j gets 422",
  async (key) => {
    const ada = await h.person();
    expect(await createOrg(ada, key)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["header", "idempotency-key"] }] },
    });
    expect(await orgsOf(ada)).toBe(1);
  },
);

test("an Idempotency-Key is ignored on anonymous requests and on PATCH", async () => {
  const ada = await h.person();
  const headers = { "idempotency-key": "ignored" };
  const themes = [
    await ada.client.patch("/auth/me/theme", { theme: "dark" }, { headers }),
    await ada.client.patch("/auth/me/theme", { theme: "light" }, { headers }),
  ];
  expect(themes.map((reply) => reply.status)).toEqual([200, 200]);
  const forgot = [
    await h.anonymous().post("/auth/forgot-password", { email: "a@example.com" }, { headers }),
    await h.anonymous().post("/auth/forgot-password", { email: "b@example.com" }, { headers }),
  ];
  expect(forgot.map((reply) => [reply.status, isReplay(reply)])).toEqual([
    [200, false],
    [200, false],
  ]);
  expect(await rowsOf(ada)).toEqual([]);
});

test("long replies are saved up to a limit per caller, and one beyond it is rejected before anything changes", async () => {
  const eve = await h.personOn("enterprise");
  const invalid = { chain: "c".repeat(100), address: "a".repeat(100) };
  const valid = { chain: "local", address: `0x${"1".repeat(40)}` };
  const importAll = (key: string, contracts: object[]) =>
    eve.client.post("/contracts/bulk-import", { contracts }, { headers: { "idempotency-key": key } });
  const many = Array.from({ length: 400 }, () => invalid);
  expect((await importAll("first", many)).text.length).toBeGreaterThan(64 * 1024);
  await sql`
    update idempotency_keys set sealed_reply = convert_to(repeat('r', 33550000), 'UTF8')
    where principal = ${`user:${eve.user.id}`}`.execute(h.app.db);
  expect(await importAll("second", [valid, ...many])).toMatchObject(errorReply(429, "org_busy"));
  expect((await eve.client.get("/contracts")).body).toEqual([]);
  expect(await importAll("short", [valid])).toMatchObject({ status: 200, body: { imported: 1 } });
});
