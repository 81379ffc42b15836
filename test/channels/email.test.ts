import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { ChannelDeps } from "../../src/channels/channel.ts";
import { channelOf } from "../../src/channels/index.ts";
import { makeSmtpMailer } from "../../src/lib/mail/smtp-mailer.ts";
import { startProvider } from "./provider.ts";
import { ownLinks, sampleAlert, sampleMessage } from "./sample.ts";

const received: { to: string[]; raw: string }[] = [];
/** The reply code to a recipient, by the local part of the address. */
const replyCodes: Record<string, number> = { unknown: 550, full: 452 };

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo({ address }, _, done) {
    const code = replyCodes[address.split("@")[0] ?? ""];
    done(code ? Object.assign(new Error("No."), { responseCode: code }) : null);
  },
  onData(stream, session, done) {
    stream.toArray().then((chunks) => {
      received.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString(),
      });
      done();
    }, done);
  },
});
server.on("error", () => {});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.server.address() as AddressInfo;
const mailer = makeSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: "Tocsin <tocsin@example.com>" });
const provider = await startProvider();

afterAll(async () => {
  await mailer.close();
  await provider.close();
  await new Promise<void>((resolve) => server.close(resolve));
});
beforeEach(() => {
  received.length = 0;
});

function send(config: object, message = sampleMessage(), change: Partial<ChannelDeps> = {}) {
  return channelOf("email")?.send(message, config, provider.deps({ mailer, ...change }));
}

/** Decodes quoted-printable text. */
function decodeMail(raw: string): string {
  return raw
    .replace(/=\r\n/g, "")
    .replace(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString());
}

test("an alert is one mail to all recipients, with subject, facts and links in both parts", async () => {
  const to = ["ann@example.org", "bob@example.org"];
  expect(await send({ to, subject_prefix: "[ops]" })).toEqual({
    status: null,
    excerpt: null,
    result: "sent",
  });
  expect(received).toHaveLength(1);
  expect(received[0]?.to).toEqual(to);
  const raw = decodeMail(received[0]?.raw ?? "");
  expect(raw).toMatch(/^To: ann@example\.org, bob@example\.org\r$/m);
  expect(raw).toMatch(/^Subject: \[ops\] Critical: Large withdrawals: Treasury on Ethereum\r$/m);
  expect(raw).toMatch(/^Message-ID: <019a8c1e-7c4b-7d3a-9f21-0000000000aa@example\.com>\r$/m);
  const [, text = "", html = ""] = raw.split(/Content-Type: text\//);
  for (const part of [text, html]) {
    expect(part).toContain("Three withdrawals left the treasury within 5 minutes.");
    expect(part).toContain("3 events, at least 3");
    expect(part).toContain("Withdrawal(to: 0x000000000000000000000000000000000000dEaD, amount: 1,500 USDC)");
    expect(part.replaceAll("&#38;", "&")).toContain(ownLinks.transaction);
    expect(part).toContain(ownLinks.event);
  }
});

test("follow-up mails are in the same thread as the alert", async () => {
  await send({ to: ["ann@example.org"] });
  await send({ to: ["ann@example.org"] }, sampleMessage({ id: "another", kind: "retracted" }));
  const threads = received.map(({ raw }) => /^References: (.*)\r$/m.exec(raw)?.[1]);
  expect(threads[0]).toMatch(/^<.+@example\.com>$/);
  expect(threads[1]).toBe(threads[0]);
  expect(decodeMail(received[1]?.raw ?? "")).toContain("a chain reorganisation removed the block");
});

test("a rejected recipient does not stop or repeat the mail for the others", async () => {
  const outcome = await send({ to: ["ann@example.org", "unknown@example.org", "full@example.org"] });
  expect(outcome).toMatchObject({
    result: "sent",
    excerpt: "Rejected for unknown@example.org, full@example.org",
  });
  expect(received.map(({ to }) => to)).toEqual([["ann@example.org"]]);
});

test("a temporary rejection is retried and a permanent one is not", async () => {
  expect(await send({ to: ["full@example.org"] })).toMatchObject({ result: "retry" });
  expect(await send({ to: ["unknown@example.org"] })).toMatchObject({ result: "failed", isDead: false });
  const unreachable = makeSmtpMailer({ url: "smtp://127.0.0.1:1", from: "tocsin@example.com" });
  expect(await send({ to: ["ann@example.org"] }, sampleMessage(), { mailer: unreachable })).toMatchObject({
    result: "retry",
    reason: "The mail server could not take this mail now.",
  });
  expect(received).toEqual([]);
});

test("several alerts are listed one after the other", async () => {
  const alerts = [sampleAlert(), sampleAlert({ title: "Paused: Treasury" })] as const;
  await send({ to: ["ann@example.org"] }, sampleMessage({ alerts: [...alerts] }));
  const raw = decodeMail(received[0]?.raw ?? "");
  expect(raw).toMatch(/^Subject: Critical: 2 alerts on Ethereum\r$/m);
  expect(raw).toMatch(/Large withdrawals: Treasury on Ethereum[\s\S]*Paused: Treasury/);
});

test("without a mail server the result says that the mail went to a folder", async () => {
  const { mailer } = provider.deps();
  expect(await send({ to: ["ann@example.org"] }, sampleMessage(), { mailer })).toMatchObject({
    result: "sent",
    excerpt: expect.stringContaining("mail folder"),
  });
});
