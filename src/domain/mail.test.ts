import { expect, test } from "vitest";
import { parseConfig } from "../config.ts";
import { approvalRequestMail, channelFailingMail, inviteMail, type QueuedMail } from "./mail.ts";

const config = parseConfig({ PUBLIC_URL: "https://tocsin.example" });

/** Names that mail clients would make a link, a mention or a second line of the mail. */
const hostile = [
  "https://evil.example/claim",
  "Win at evil.example now",
  "http://192.0.2.7/x",
  "a@evil.example",
  "evil。example",
  "evil\u2024example",
  "tel:+19005550100",
  "Your account is locked\r\n\r\nOpen evil.example",
];

const mails: [string, (name: string) => QueuedMail][] = [
  ["the org in an invitation", (org_name) => invite({ org_name })],
  ["the inviter in an invitation", (invited_by) => invite({ invited_by })],
  ["the person in a request for an account", (name) => request({ name })],
  [
    "the channel in a mail about failures",
    (name) => channelFailingMail("x@example.com", name, `Failed: ${name}`),
  ],
];

const invite = (name: object) =>
  inviteMail(config, "x@example.com", { org_name: "Acme", invited_by: "Ada", token: "t", ...name });
const request = (name: object) =>
  approvalRequestMail(config, "x@example.com", {
    email: "ada@example.org",
    name: "Ada",
    token: "t",
    ...name,
  });

test.each(mails.flatMap(([what, make]) => hostile.map((name) => [what, name, make] as const)))(
  "the name of %s does not become a link: %j",
  (_what, name, make) => {
    const mail = make(name);
    if (mail.kind !== "ready") throw new Error("the mail is not ready");
    for (const text of [mail.subject, mail.text, mail.html]) {
      const foreign = text.replaceAll("https://tocsin.example", "");
      expect(foreign).not.toMatch(/evil[.。\u2024]example|tel:\+|https?:\/\/(evil|192)|192\.0\.2\.7|@evil/);
    }
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.text).toContain("evil".slice(0, name.includes("evil") ? 4 : 0));
  },
);
