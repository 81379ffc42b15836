import { loadConfig } from "../config.ts";
import { withApp } from "../main.ts";
import type { Command } from "./command.ts";

export const migrate: Command = {
  name: "migrate",
  usage: "",
  summary: "Bring the database to the newest schema",
  async run() {
    const steps = await withApp(loadConfig(), async (_app, taken) => taken);
    console.log(steps.length > 0 ? `Done: ${steps.join(", ")}.` : "The database is up to date.");
  },
};
