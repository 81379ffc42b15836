import type { Command } from "./command.ts";
import { applyFile, applyUsage } from "./config-file.ts";

export const plan: Command = {
  name: "plan",
  usage: applyUsage,
  summary: "Say what applying a configuration would change",
  run: (args) => applyFile(args, true),
};
