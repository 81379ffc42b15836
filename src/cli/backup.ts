import { loadConfig } from "../config.ts";
import { UsageError } from "./command.ts";
import { makeBackup } from "./data-backup.ts";

/** Copies the embedded database and the secrets key into a new folder. */
export async function run([folder, ...rest]: string[]): Promise<void> {
  if (!folder || rest.length > 0) throw new UsageError("expected the name of a new folder.");
  await makeBackup(loadConfig(), folder);
  console.log(`The backup is in ${folder}. It contains the key of all secrets: keep it private.`);
}
