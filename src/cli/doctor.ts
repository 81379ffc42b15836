import { maskConfig } from "../config/mask.ts";
import { loadConfig } from "../config.ts";
import { runCheck } from "./checks/check.ts";
import { databaseChecks } from "./checks/database.ts";
import { machineChecks } from "./checks/machine.ts";
import { nodeChecks } from "./checks/nodes.ts";
import { serviceChecks } from "./checks/services.ts";

/** Runs every check of what is configured, and exits with 1 if one failed. */
export async function run(): Promise<void> {
  const config = loadConfig();
  for (const [name, value] of Object.entries(maskConfig(config))) console.log(`${name.padEnd(16)} ${value}`);
  console.log("");
  const checks = [
    ...machineChecks(config),
    ...databaseChecks(config),
    ...serviceChecks(config),
    ...nodeChecks(config),
  ];
  for (const check of checks) if (!(await runCheck(check))) process.exitCode = 1;
}
