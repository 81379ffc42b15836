import { join, relative } from "node:path";
import { type Config, loadConfig } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { startService } from "../main.ts";

/** A stop that takes longer than this is cut short: the database survives it, a supervisor's patience does not. */
const stopDeadlineMs = 15_000;

/** Runs until it is told to stop. */
export async function run(): Promise<void> {
  const config = loadConfig();
  const ask = waitForSignal();
  const starting = startService(config);
  // A signal while starting is answered as soon as the start is through, so that nothing is left half started.
  const service = await starting;
  console.log(banner(config, service.url));
  await ask;
  console.log("Stopping. Press Ctrl-C again to stop at once.");
  void waitForSignal().then(() => process.exit(130));
  void systemClock.sleep(stopDeadlineMs).then(() => process.exit(1));
  await service.stop();
  process.exit(0);
}

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

function banner(config: Config, url: string): string {
  const mail = relative(process.cwd(), join(config.dataDir, "mail"));
  return [
    "",
    `Tocsin ${config.version} listens on ${url}`,
    `  API reference:    ${url}/redoc`,
    ...(config.signupMode === "closed"
      ? []
      : [
          "  First account:    curl -X POST -H 'Content-Type: application/json' \\",
          `                      -d '{"email":"you@example.com","password":"a phrase only you know"}' \\`,
          `                      ${url}/api/v1/auth/signup`,
        ]),
    "  Staff account:    npx tocsin staff create you@example.com",
    ...(config.smtpUrl ? [] : [`  Mail is written to ${mail}; set SMTP_URL to send it.`]),
    "",
  ].join("\n");
}
