import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { openConfiguration } from "./configuration/source.ts";

/** Prints the configuration as YAML or JSON, without secrets and in a stable order. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { org: { type: "string" }, json: { type: "boolean" } } });
  const document = await (await openConfiguration(values.org)).read();
  // Long lines stay whole: a folded text would make two lines of a change to one.
  console.log(
    values.json ? JSON.stringify(document, null, 2) : stringify(document, { lineWidth: 0 }).trimEnd(),
  );
}
