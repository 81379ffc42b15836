import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { OperatorError } from "../operator-error.ts";
import { mailMessage } from "./mail-message.ts";
import { MailError } from "./mailer.ts";
import { makeSmtpMailer } from "./smtp-mailer.ts";

const from = "Alerts <alerts@example.com>";
const mail = {
  id: "0197-a.b_c",
  to: "ann@example.org",
  subject: "Hello",
  text: "As text",
  html: "<p>As HTML</p>",
};
const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** A real SMTP server on loopback that stores mails, and a mailer for it. */
async function sink(options: SMTPServerOptions = {}) {
  const taken: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      stream.toArray().then((chunks) => {
        taken.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      }, done);
    },
    ...options,
  });
  // A rejected client disconnects, which the server reports as an error.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { taken, mailer: makeSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from }) };
}

function answer(code: number): Error {
  return Object.assign(new Error("No."), { responseCode: code });
}

async function failure(sending: Promise<unknown>): Promise<unknown> {
  return sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

test("the SMTP mailer delivers a mail with a text and an HTML part", async () => {
  const { taken, mailer } = await sink();
  expect(mailer.kind).toBe("smtp");
  await mailer.send(mail);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.to).toEqual(["ann@example.org"]);
  expect(taken[0]?.raw).toMatch(/^From: Alerts <alerts@example\.com>\r$/m);
  expect(taken[0]?.raw).toMatch(/^To: ann@example\.org\r$/m);
  expect(taken[0]?.raw).toMatch(/^Subject: Hello\r$/m);
  expect(taken[0]?.raw).toMatch(
    /Content-Type: text\/plain[\s\S]*As text[\s\S]*Content-Type: text\/html[\s\S]*<p>As HTML<\/p>/,
  );
  await mailer.close();
});

test("a mail to several recipients reports the rejected ones", async () => {
  const { taken, mailer } = await sink({
    onRcptTo: ({ address }, _, done) => done(address.startsWith("no") ? answer(550) : null),
  });
  const also = ["no@example.org", "bob@example.org"];
  expect(await mailer.send({ ...mail, additionalRecipients: also, thread: "0197-thread" })).toEqual([
    "no@example.org",
  ]);
  expect(taken.map(({ to }) => to)).toEqual([["ann@example.org", "bob@example.org"]]);
  expect(taken[0]?.raw).toMatch(/^References: <0197-thread\.thread@example\.com>\r$/m);
  const injected = { ...mail, additionalRecipients: ["bob@example.org\r\nBcc: eve@example.net"] };
  expect(await failure(mailer.send(injected))).toMatchObject({ name: "MailError", retryable: false });
  expect(await failure(mailer.send({ ...mail, thread: "a\r\nb" }))).toMatchObject({ retryable: false });
});

test("a mail has the same Message-ID on every attempt", async () => {
  const { taken, mailer } = await sink();
  await mailer.send(mail);
  await mailer.send(mail);
  expect(taken).toHaveLength(2);
  for (const { raw } of taken) expect(raw).toMatch(/^Message-ID: <0197-a\.b_c@example\.com>\r$/m);
});

test.each([
  "Hello\r\nBcc: eve@example.net",
  "Hello\nBcc: eve@example.net",
  "Hello\rBcc: eve@example.net",
  "Hello\r\n\r\n<b>another body</b>",
  "Hello\u0000\u2028Bcc: eve@example.net",
  "Grüße\r\nBcc: eve@example.net",
])("the subject %j becomes a single header", async (subject) => {
  const { taken, mailer } = await sink();
  await mailer.send({ ...mail, subject });
  expect(mailMessage({ ...mail, subject }, from).subject).toMatch(/^[^\p{Cc}\u2028]+$/u);
  const [head = ""] = (taken[0]?.raw ?? "").split("\r\n\r\n");
  expect(taken[0]?.to).toEqual(["ann@example.org"]);
  expect(head).toMatch(/^Subject: /m);
  expect(head).not.toMatch(/^(Bcc|<b>)/im);
});

test.each([
  "",
  "ann",
  "ann@",
  "ann@example.org, eve@example.net",
  "ann@example.org;eve@example.net",
  "ann@example.org\r\nBcc: eve@example.net",
  "ann@example.org\r\nRCPT TO:<eve@example.net>",
  "Ann <ann@example.org>",
  "ann@example.org> SIZE=1",
  "ann@eve@example.org",
  `${"a".repeat(250)}@example.org`,
])("the SMTP mailer rejects the recipient %j", async (to) => {
  const { taken, mailer } = await sink();
  const error = await failure(mailer.send({ ...mail, to }));
  expect(error).toBeInstanceOf(MailError);
  expect(error).toMatchObject({ retryable: false });
  expect(taken).toEqual([]);
});

test.each([
  ["an unknown recipient", { onRcptTo: (_, __, done) => done(answer(550)) }, false],
  ["a full mailbox", { onRcptTo: (_, __, done) => done(answer(452)) }, true],
  [
    "a text it does not want",
    { onData: (stream, _, done) => void stream.resume().on("end", () => done(answer(554))) },
    false,
  ],
  [
    "a busy moment",
    { onData: (stream, _, done) => void stream.resume().on("end", () => done(answer(451))) },
    true,
  ],
  ["a sender it does not know", { onMailFrom: (_, __, done) => done(answer(530)) }, true],
  ["a client it does not want", { onConnect: (_, done) => done(answer(554)) }, true],
] satisfies [string, SMTPServerOptions, boolean][])(
  "the SMTP mailer classifies a failure as permanent or retryable: %s",
  async (_, options, retryable) => {
    const { mailer } = await sink(options);
    const error = await failure(mailer.send(mail));
    expect(error).toBeInstanceOf(MailError);
    expect(error).toMatchObject({ retryable });
  },
);

test("a failed login or connection is retryable", async () => {
  const { mailer } = await sink({ authOptional: false, onAuth: (_, __, done) => done(answer(535)) });
  expect(await failure(mailer.send(mail))).toMatchObject({ name: "MailError", retryable: true });

  const gone = await sink();
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  const error = await failure(gone.mailer.send(mail));
  expect(error).toMatchObject({ name: "MailError", retryable: true });
  expect(String(error)).toBe("MailError: The mail server could not take this mail now.");
});

test("a mail id must be safe in a header and in a file name", async () => {
  const { taken, mailer } = await sink();
  for (const id of ["", "../a", "a/b", "a@b", "a\r\nb", "a b", ".hidden", "a".repeat(101)]) {
    expect(await failure(mailer.send({ ...mail, id }))).toMatchObject({
      name: "MailError",
      retryable: false,
    });
  }
  expect(taken).toEqual([]);
});

test("invalid SMTP settings throw an operator error without the password", () => {
  expect(() => makeSmtpMailer({ url: "http://mail.example.com", from })).toThrow(OperatorError);
  expect(() => makeSmtpMailer({ url: "user:hunter2@mail", from })).toThrow(/^SMTP_URL (?!.*hunter2)/);
  for (const sender of ["", "Alerts", "alerts@", "a@b.example\r\nBcc: eve@example.net"]) {
    expect(() => makeSmtpMailer({ url: "smtp://127.0.0.1", from: sender })).toThrow(/^MAIL_FROM /);
  }
});
