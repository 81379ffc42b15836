import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { exportConfig } from "../domain/configuration/export.ts";
import { withApp } from "../main.ts";
import { actFor } from "./acting-org.ts";
import type { Command } from "./command.ts";

export const exportCommand: Command = {
  name: "export",
  usage: "[--org <org id or an admin's e-mail>]",
  summary: "Print an organisation's configuration",
  async run(args) {
    const { values } = parseArgs({ args, options: { org: { type: "string" } } });
    const document = await withApp(loadConfig(), async (app) =>
      exportConfig(app, await actFor(app, values.org)),
    );
    console.log(JSON.stringify(document, null, 2));
  },
};
