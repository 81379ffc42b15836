import { loadConfig } from "../config.ts";
import { UsageError } from "./command.ts";
import { restoreBackup } from "./data-backup.ts";

/** Copies a backup into a data folder without a database. */
export async function run([folder, ...rest]: string[]): Promise<void> {
  if (!folder || rest.length > 0) throw new UsageError("expected the folder of a backup.");
  const config = loadConfig();
  const madeAt = await restoreBackup(config, folder);
  console.log(
    `The backup of ${madeAt} is in ${config.dataDir}. Start the service with DATA_DIR=${config.dataDir}.`,
  );
}
