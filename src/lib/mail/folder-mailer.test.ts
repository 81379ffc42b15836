import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolderMailer } from "./folder-mailer.ts";

const from = "Alerts <alerts@example.com>";
const mail = { id: "one", to: "ann@example.org", subject: "Hello", text: "As text", html: "<p>As HTML</p>" };

async function newMailer() {
  const folder = join(await mkdtemp(join(tmpdir(), "mail-")), "data", "mail");
  return { folder, mailer: makeFolderMailer({ folder, from }) };
}

test("the folder mailer writes a complete mail that only its owner can read", async () => {
  const { folder, mailer } = await newMailer();
  expect(mailer.kind).toBe("folder");
  await mailer.send(mail);
  const raw = await readFile(join(folder, "one.eml"), "utf8");
  expect(raw).toMatch(/^To: ann@example\.org\r?$/m);
  expect(raw).toMatch(/^Message-ID: <one@example\.com>\r?$/m);
  expect(raw).toContain("As text");
  expect(raw).toContain("<p>As HTML</p>");
  expect((await stat(join(folder, "one.eml"))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await mailer.close();
});

test("concurrent and repeated sends of a mail leave one file per id and no temporary files", async () => {
  const { folder, mailer } = await newMailer();
  const ids = ["one", "two", "three", "one", "two", "one"];
  await Promise.all(ids.map((id) => mailer.send({ ...mail, id, subject: `About ${id}` })));
  expect((await readdir(folder)).sort()).toEqual(["one.eml", "three.eml", "two.eml"]);
  expect(await readFile(join(folder, "two.eml"), "utf8")).toContain("Subject: About two");
});

test.each(["../one", "a/b", "/etc/one", "..", ".one", "a\0b"])(
  "the folder mailer rejects the id %j",
  async (id) => {
    const { mailer } = await newMailer();
    await expect(mailer.send({ ...mail, id })).rejects.toMatchObject({ name: "MailError", retryable: false });
  },
);

test("the folder mailer rejects a recipient and folds a subject that would inject a header", async () => {
  const { folder, mailer } = await newMailer();
  const to = "ann@example.org\r\nBcc: eve@example.net";
  await expect(mailer.send({ ...mail, to })).rejects.toMatchObject({ retryable: false });
  await mailer.send({ ...mail, subject: "Hello\r\nBcc: eve@example.net" });
  expect(await readFile(join(folder, "one.eml"), "utf8")).not.toMatch(/^Bcc/im);
});

test("a mail can be retried when the folder is not writable", async () => {
  const { folder } = await newMailer();
  const blocked = join(folder, "..", "..", "file");
  await writeFile(blocked, "");
  const mailer = makeFolderMailer({ folder: join(blocked, "mail"), from });
  await expect(mailer.send(mail)).rejects.toMatchObject({ name: "MailError", retryable: true });
});
