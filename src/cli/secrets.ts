import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Config, loadConfig } from "../config.ts";
import { beginRotation, finishRotation, resealAll } from "../domain/secrets/rotate-secrets.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { parseKey, replaceKeyFile } from "../lib/secrets/secrets-key.ts";
import { withApp } from "../main.ts";
import { UsageError } from "./command.ts";

/** Longer than the interval at which running processes read the keys, in case their hint is lost. */
const holdersWaitMs = 60_000;

/** Replaces the key that secrets are sealed with, while the service runs. An interrupted rotation is continued. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { "keep-previous": { type: "boolean", default: false } },
  });
  if (positionals.join(" ") !== "rotate") throw new UsageError("expected `secrets rotate`.");
  const config = loadConfig();
  await withApp(config, async (app, _migrations, ring) => {
    const isRunning = ring.retiring() !== undefined;
    await beginRotation(app, ring, newKeyOf(config, isRunning));
    await resealAll(app, ring, (resealed) => console.log(`${resealed} values re-sealed`));
    // The new key is safe in the database until the old one is deleted.
    if (!config.secretsKey) await replaceKeyFile(join(config.dataDir, "secrets.key"), ring.active().key);
    if (!values["keep-previous"]) await finishRotation(app, ring, holdersWaitMs);
  });
  console.log(outcome(config, values["keep-previous"]));
}

function newKeyOf(config: Config, isRunning: boolean): Buffer | undefined {
  if (config.newSecretsKey) return parseKey(config.newSecretsKey, "NEW_SECRETS_KEY");
  if (isRunning) return undefined;
  if (!config.secretsKey) return randomBytes(32);
  throw new OperatorError("NEW_SECRETS_KEY is not set. Generate a key and keep it: openssl rand -base64 32");
}

function outcome({ secretsKey }: Config, isPreviousKept: boolean): string {
  const where = secretsKey
    ? "Set SECRETS_KEY to the new key before a process starts again."
    : "The new key is in the file secrets.key of the data folder.";
  return isPreviousKept
    ? `Everything is sealed with the new key. ${where} The previous key still works; run this again without --keep-previous to end that.`
    : `Everything is sealed with the new key, and the previous one no longer works. ${where}`;
}
