import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { exportConfig } from "../domain/imports/configuration/export.ts";
import { withApp } from "../main.ts";
import { operatorOf } from "./acting-org.ts";

/** Prints the configuration as JSON, without secrets. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { org: { type: "string" } } });
  const document = await withApp(loadConfig(), async (app) =>
    exportConfig(app, await operatorOf(app, values.org)),
  );
  console.log(JSON.stringify(document, null, 2));
}
