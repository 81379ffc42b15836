import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Faults } from "../../../src/faults.ts";
import { purgeExpired } from "../../../src/jobs/purge-expired.ts";
import { sendMail } from "../../../src/jobs/send-mail.ts";
import { type Mail, MailError, type Mailer } from "../../../src/lib/mail/mailer.ts";
import { claimMails } from "../../../src/store/accounts/mail.ts";
import type { AdminHealth } from "../../../src/wire/accounts/admin.ts";
import { harness } from "../../support/harness.ts";
import { counts, day, hour, invite, teamAdmin } from "../steps.ts";

let onFault: Faults["hit"] = () => undefined;
const h = await harness({ faults: { hit: (point) => onFault(point) } });
const originalMailer: Mailer = h.app.mailer;
const waits = [5, 30, 120, 600, hour, 6 * hour, day];

beforeEach(() => h.runJobs());
afterEach(() => {
  h.app.mailer = originalMailer;
  onFault = () => undefined;
});

const rows = () => h.app.db.selectFrom("mail_outbox").selectAll().orderBy("created_at", "desc").execute();
const newest = async () => (await rows())[0];

/** Installs a mailer that calls `send`, and returns the list of the mails it got. */
function installMailer(send: (mail: Mail) => Promise<void> | void): Mail[] {
  const attempted: Mail[] = [];
  h.app.mailer = {
    ...originalMailer,
    send: async (mail) => {
      attempted.push(mail);
      await send(mail);
      return undefined;
    },
  };
  return attempted;
}

const greylisted = () => {
  throw new MailError("450 try later", { retryable: true });
};

test("a queued mail is encrypted: the database shows neither its recipient nor its link", async () => {
  const admin = await teamAdmin(h);
  await h.runJobs();
  const token = await invite(admin, "sealed@example.com");
  const row = await newest();
  expect(row?.status).toBe("queued");
  const { sealed, ...plain } = row ?? {};
  for (const text of [token, "sealed@example.com", "Join", "links/invite"]) {
    expect(sealed?.includes(Buffer.from(text))).toBe(false);
    expect(JSON.stringify(plain)).not.toContain(text);
  }
});

test("the encrypted content of one queued mail cannot be opened as another", async () => {
  const [person, other] = [await h.mailedPerson(), await h.mailedPerson()];
  const [second, first] = await rows();
  await h.app.db
    .updateTable("mail_outbox")
    .set({ sealed: first?.sealed ?? null })
    .where("id", "=", second?.id ?? "")
    .execute();
  const attempted = installMailer(() => undefined);
  await h.runJobs();
  expect(attempted.map((mail) => mail.to)).toEqual([person.user.email]);
  expect(other.user.email).not.toBe(person.user.email);
  await h.app.db.deleteFrom("mail_outbox").where("status", "=", "queued").execute();
});

test("a sent mail loses its content and is not sent again", async () => {
  await h.mailedPerson();
  const attempted = installMailer(() => undefined);
  await h.runJobs();
  expect(await newest()).toMatchObject({
    status: "sent",
    sealed: null,
    attempts: 1,
    sent_at: expect.any(Date),
  });
  h.clock.advance(day);
  await h.runJobs();
  expect(attempted).toHaveLength(1);
});

test("a mail whose transaction is rolled back is never sent", async () => {
  onFault = (point) => {
    if (point === "write.before_commit") throw new Error("the process died");
  };
  const before = await counts(h);
  const reply = await h
    .anonymous()
    .post("/auth/signup", { email: "undone@example.com", password: "correct horse battery staple" });
  expect(reply.status).toBe(500);
  const after = await counts(h);
  expect({ ...after, rate_windows: 0 }).toEqual({ ...before, rate_windows: 0 });
});

test("a mail with a temporary error is retried after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and a day, then fails", async () => {
  await h.mailedPerson();
  const frozen = h.clock.freeze();
  const attempted = installMailer(greylisted);
  await h.runJobs();
  for (const [index, wait] of waits.entries()) {
    expect(await newest()).toMatchObject({
      status: "queued",
      attempts: index + 1,
      last_error: "450 try later",
    });
    h.clock.advance(wait - 2);
    await h.runJobs();
    expect(attempted).toHaveLength(index + 1);
    h.clock.advance(2);
    await h.runJobs();
    expect(attempted).toHaveLength(index + 2);
  }
  expect(await newest()).toMatchObject({ status: "failed", attempts: 8 });
  h.clock.advance(2 * day);
  await h.runJobs();
  frozen.release();
  expect(attempted).toHaveLength(8);
  expect(new Set(attempted.map((mail) => mail.id)).size).toBe(1);
});

test("a mail with a permanent error is tried once", async () => {
  await h.mailedPerson();
  const attempted = installMailer(() => {
    throw new MailError("550 no such mailbox", { retryable: false });
  });
  await h.runJobs();
  h.clock.advance(2 * day);
  await h.runJobs();
  expect(attempted).toHaveLength(1);
  expect(await newest()).toMatchObject({ status: "failed", last_error: "550 no such mailbox" });
  const health = (await (await h.staff()).get("/admin/health")).body as AdminHealth;
  expect(health.mail.failed).toBeGreaterThan(0);
});

test("a mail with an unknown error is retried", async () => {
  await h.mailedPerson();
  let isFirst = true;
  const attempted = installMailer(() => {
    if (!isFirst) return;
    isFirst = false;
    throw new TypeError("something unforeseen");
  });
  await h.runJobs();
  h.clock.advance(5);
  await h.runJobs();
  expect(attempted).toHaveLength(2);
  expect(attempted[1]).toEqual(attempted[0]);
  expect(await newest()).toMatchObject({ status: "sent", attempts: 2 });
});

test("a mail that fails does not delay the others", async () => {
  const people = [await h.mailedPerson(), await h.mailedPerson(), await h.mailedPerson()];
  const bad = people[0]?.user.email;
  const taken: string[] = [];
  installMailer((mail) => (mail.to === bad ? greylisted() : void taken.push(mail.to)));
  await h.runJobs();
  expect(taken.sort()).toEqual(
    people
      .slice(1)
      .map((person) => person.user.email)
      .sort(),
  );
  h.app.mailer = originalMailer;
  h.clock.advance(5);
  await h.runJobs();
  expect(h.mails.at(-1)?.to).toBe(bad);
});

test("a mail whose sender died before recording it is sent again when the lease expires", async () => {
  await h.mailedPerson();
  const attempted = installMailer(() => undefined);
  // A dead process never returns from here, so the promise stays pending.
  const died = new Promise<void>((resolve) => {
    onFault = (point) => {
      if (point !== "mail.after_send") return;
      resolve();
      return new Promise<never>(() => undefined);
    };
  });
  void sendMail.run(h.app);
  await died;
  onFault = () => undefined;
  h.clock.advance(115);
  await h.runJobs();
  expect(attempted).toHaveLength(1);
  h.clock.advance(10);
  await h.runJobs();
  expect(attempted).toHaveLength(2);
  expect(attempted[1]).toEqual(attempted[0]);
  expect(await newest()).toMatchObject({ status: "sent", attempts: 2 });
});

test("a sender whose lease expired does not overwrite the result of the next sender", async () => {
  await h.mailedPerson();
  installMailer(() => undefined);
  let failLate: () => void = () => undefined;
  const slow = new Promise<void>((started) => {
    onFault = (point) => {
      if (point !== "mail.after_send") return;
      started();
      return new Promise<void>((_resolve, reject) => {
        failLate = () => reject(new MailError("the connection was lost", { retryable: true }));
      });
    };
  });
  const first = sendMail.run(h.app);
  await slow;
  onFault = () => undefined;
  h.clock.advance(121);
  await h.runJobs();
  failLate();
  await first;
  expect(await newest()).toMatchObject({ status: "sent", attempts: 2, sealed: null });
});

test("concurrent senders send every mail once", async () => {
  await Promise.all(Array.from({ length: 15 }, () => h.mailedPerson()));
  const attempted = installMailer(() => undefined);
  await Promise.all(Array.from({ length: 4 }, () => sendMail.run(h.app)));
  await h.runJobs();
  expect(attempted).toHaveLength(15);
  expect(new Set(attempted.map((mail) => mail.id)).size).toBe(15);
});

test("a sender skips mails that another sender has claimed, without waiting", async () => {
  await Promise.all(Array.from({ length: 8 }, () => h.mailedPerson()));
  const attempted = installMailer(() => undefined);
  const taken = await h.app.db.transaction().execute(async (tx) => {
    const lease = new Date(h.clock.now().getTime() + 120_000);
    const claimed = await claimMails(tx, h.clock.now(), lease, 5);
    await h.runJobs();
    return claimed.map((row) => row.id);
  });
  await h.runJobs();
  expect(attempted).toHaveLength(3);
  for (const mail of attempted) expect(taken).not.toContain(mail.id);
  h.clock.advance(121);
  await h.runJobs();
  expect(new Set(attempted.map((mail) => mail.id)).size).toBe(8);
});

test("expired sessions, tokens, rate windows and mails are purged, and not before they expire", async () => {
  const person = await h.mailedPerson();
  await h.anonymous().post("/auth/forgot-password", { email: person.user.email });
  await h.runJobs();
  const before = await counts(h);
  for (const table of ["sessions", "user_tokens", "rate_windows", "mail_outbox"])
    expect(before[table]).toBeGreaterThan(0);
  h.clock.advance(2 * hour);
  await h.runJobs();
  const after = await counts(h);
  expect(after).toMatchObject({ sessions: before.sessions, mail_outbox: before.mail_outbox });
  // Windows of an hour have ended, and those of a day have not.
  expect(after.rate_windows).toBeGreaterThan(0);
  expect(after.rate_windows).toBeLessThan(before.rate_windows ?? 0);
  h.clock.advance(2 * day);
  await h.runJobs();
  expect(await counts(h)).toMatchObject({ user_tokens: 0, rate_windows: 0 });
  h.clock.advance(28 * day);
  await h.runJobs();
  expect(await counts(h)).toMatchObject({ sessions: 0, staff_sessions: 0, mail_outbox: 0 });
  expect((await counts(h)).audit_log).toBe(before.audit_log);
});

test("a backlog of expired rows is purged in parts, none of which takes long", async () => {
  const windows = async () => (await counts(h)).rate_windows ?? 0;
  await sql`insert into rate_windows select 'backlog ' || n, '{}', true, ${h.clock.now()} from generate_series(1, 12000) n`.execute(
    h.app.db,
  );
  const before = await windows();
  expect(await purgeExpired.run(h.app)).toEqual({ hasMore: true });
  expect(await windows()).toBe(before - 5_000);
  await h.runJobs();
  expect(await windows()).toBeLessThanOrEqual(before - 12_000);
});

test("a queued mail is never purged", async () => {
  await h.mailedPerson();
  h.clock.advance(40 * day);
  const attempted = installMailer(greylisted);
  await h.runJobs();
  expect(attempted).toHaveLength(1);
  expect(await newest()).toMatchObject({ status: "queued", attempts: 1 });
});
