import type { Command } from "./command.ts";
import { applyFile, applyUsage } from "./config-file.ts";

export const apply: Command = {
  name: "apply",
  usage: applyUsage,
  summary: "Bring an organisation to a configuration",
  run: (args) => applyFile(args, false),
};
