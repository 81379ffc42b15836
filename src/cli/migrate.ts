import { loadConfig } from "../config.ts";
import { withApp } from "../main.ts";

/** Runs pending migrations and prints their names. */
export async function run(): Promise<void> {
  const steps = await withApp(loadConfig(), async (_app, taken) => taken);
  console.log(steps.length > 0 ? `Migrated: ${steps.join(", ")}.` : "The database is up to date.");
}
