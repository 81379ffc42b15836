import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { makeNode } from "../simchain/node.ts";
import { Tree } from "../simchain/tree.ts";
import { cloneDatabase, databaseUrl } from "../support/database.ts";
import { noBlockReceipts } from "../zoo/behaviours/gaps/no-block-receipts.ts";
import { serveProvider } from "../zoo/proxy.ts";
import { makeDataFolder, run } from "./service.ts";

const tree = new Tree(1, { transactions: 2 });
tree.grow(12);
const node = await makeNode(tree, { chainId: 1 });
const other = await makeNode(tree, { chainId: 137 });
const limited = await serveProvider(node.url);
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onAuth: (_, __, done) => done(null, { user: "me" }),
});
mail.listen(0, "127.0.0.1");
await once(mail.server, "listening");
const mailPort = (mail.server.address() as AddressInfo).port;
afterAll(async () => {
  await Promise.all([node.close(), other.close(), limited.close()]);
  await new Promise<void>((closed) => mail.close(() => closed()));
});

const env = {
  DATA_DIR: await makeDataFolder({ isInitialised: false, isShared: true }),
  DATABASE_URL: databaseUrl(await cloneDatabase()),
  METRICS_TOKEN: "a-secret-of-mine-0001",
};

test("`tocsin doctor` checks what is configured in a line each, and masks secrets", async () => {
  limited.setManners(noBlockReceipts.manners(() => 0));
  const { code, output } = await run(["doctor"], {
    ...env,
    SMTP_URL: `smtp://me:hush@127.0.0.1:${mailPort}`,
    RPC_ETHEREUM: `${node.url},${limited.url}/v1/a-key-of-mine`,
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/METRICS_TOKEN +\(set\)/);
  expect(output).not.toMatch(/a-secret-of-mine|hush|a-key-of-mine/);
  expect(output).toMatch(/ok +Disk: \d+\.\d GB are free/);
  expect(output).toMatch(/ok +Database: PostgreSQL \d+/);
  expect(output).toMatch(/ok +Clock: agrees with the clock of the database/);
  expect(output).toMatch(/ok +Secrets: the key opens the database's check value and \d+ sealed values/);
  expect(output).toMatch(/ok +SMTP: the server accepts the log-in/);
  expect(output).toMatch(/ok +Ethereum endpoint 1 \(127\.0\.0\.1:\d+\): block 12, \d+ ms/);
  const second = /ok +Ethereum endpoint 2 .*/.exec(output)?.[0];
  expect(second).toContain("does not serve");
  expect(second).toContain("receipts of whole blocks");
  expect(second).not.toContain("traces");
});

test("`tocsin doctor` exits with 1 and says what to do about each check that fails", async () => {
  const { code, output } = await run(["doctor"], {
    ...env,
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    SMTP_URL: "smtp://127.0.0.1:1",
    REDIS_URL: "redis://127.0.0.1:1",
    RPC_ETHEREUM: `${other.url},http://127.0.0.1:1`,
  });
  expect(code).toBe(1);
  expect(output).toMatch(/FAIL +Database: /);
  expect(output).toMatch(/FAIL +SMTP: .*\. Correct SMTP_URL, or remove it to write mails to files\./);
  expect(output).toMatch(/FAIL +Redis: .*\. Start Redis and correct REDIS_URL, or remove it/);
  expect(output).toMatch(
    /FAIL +Ethereum endpoint 1 .*serves chain 137 instead of 1.*Correct or remove this URL in RPC_ETHEREUM\./,
  );
  expect(output).toMatch(
    /FAIL +Ethereum endpoint 2 \(127\.0\.0\.1:1\): .*Correct or remove this URL in RPC_ETHEREUM\./,
  );
});
