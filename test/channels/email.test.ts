import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { ChannelDeps } from "../../src/channels/channel.ts";
import { channelOf } from "../../src/channels/index.ts";
import { makeSmtpMailer } from "../../src/lib/mail/smtp-mailer.ts";
import { startProvider } from "./provider.ts";
import { ownLinks, sampleAlarm, sampleMessage } from "./sample.ts";

const taken: { to: string[]; raw: string }[] = [];
/** What the server says to a recipient, by the word that the address starts with. */
const answers: Record<string, number> = { unknown: 550, full: 452 };

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo({ address }, _, done) {
    const code = answers[address.split("@")[0] ?? ""];
    done(code ? Object.assign(new Error("No."), { responseCode: code }) : null);
  },
  onData(stream, session, done) {
    stream.toArray().then((chunks) => {
      taken.push({
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
  provider.close();
  await new Promise<void>((resolve) => server.close(resolve));
});
beforeEach(() => {
  taken.length = 0;
});

function send(config: object, message = sampleMessage(), change: Partial<ChannelDeps> = {}) {
  return channelOf("email")?.send(message, config, provider.tools({ mailer, ...change }));
}

/** A part of a mail as it reads: soft line ends joined, bytes decoded. */
function readable(raw: string): string {
  return raw
    .replace(/=\r\n/g, "")
    .replace(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString());
}

test("an alert is one mail for all, with subject, facts and links in both parts", async () => {
  const to = ["ann@example.org", "bob@example.org"];
  expect(await send({ to, subject_prefix: "[ops]" })).toEqual({
    status: null,
    excerpt: null,
    result: "sent",
  });
  expect(taken).toHaveLength(1);
  expect(taken[0]?.to).toEqual(to);
  const raw = readable(taken[0]?.raw ?? "");
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

test("what follows an alert is shown with it, as one conversation", async () => {
  await send({ to: ["ann@example.org"] });
  await send({ to: ["ann@example.org"] }, sampleMessage({ id: "another", kind: "retracted" }));
  const threads = taken.map(({ raw }) => /^References: (.*)\r$/m.exec(raw)?.[1]);
  expect(threads[0]).toMatch(/^<.+@example\.com>$/);
  expect(threads[1]).toBe(threads[0]);
  expect(readable(taken[1]?.raw ?? "")).toContain("The chain reorganised; this did not happen.");
});

test("a recipient that is refused costs nobody else their mail, nor sends it twice", async () => {
  const outcome = await send({ to: ["ann@example.org", "unknown@example.org", "full@example.org"] });
  expect(outcome).toMatchObject({
    result: "sent",
    excerpt: "Refused for unknown@example.org, full@example.org",
  });
  expect(taken.map(({ to }) => to)).toEqual([["ann@example.org"]]);
});

test("is tried again when the server may take it later, and not when it never will", async () => {
  expect(await send({ to: ["full@example.org"] })).toMatchObject({ result: "retry" });
  expect(await send({ to: ["unknown@example.org"] })).toMatchObject({ result: "failed", isDead: false });
  const gone = makeSmtpMailer({ url: "smtp://127.0.0.1:1", from: "tocsin@example.com" });
  expect(await send({ to: ["ann@example.org"] }, sampleMessage(), { mailer: gone })).toMatchObject({
    result: "retry",
    reason: "The mail server could not take this mail now.",
  });
  expect(taken).toEqual([]);
});

test("several alarms are listed one after the other", async () => {
  const alerts = [sampleAlarm(), sampleAlarm({ title: "Paused: Treasury" })] as const;
  await send({ to: ["ann@example.org"] }, sampleMessage({ alerts: [...alerts] }));
  const raw = readable(taken[0]?.raw ?? "");
  expect(raw).toMatch(/^Subject: Critical: 2 alarms on Ethereum\r$/m);
  expect(raw).toMatch(/Large withdrawals: Treasury on Ethereum[\s\S]*Paused: Treasury/);
});

test("without a mail server it says where the mail went", async () => {
  const { mailer } = provider.tools();
  expect(await send({ to: ["ann@example.org"] }, sampleMessage(), { mailer })).toMatchObject({
    result: "sent",
    excerpt: expect.stringContaining("mail folder"),
  });
});
