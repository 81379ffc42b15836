import { join, relative } from "node:path";
import { type Config, loadConfig } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { startService } from "../main.ts";

/** A slower shutdown is aborted before a supervisor kills the process. The database recovers at the next start. */
const stopDeadlineMs = 15_000;

/** Runs the service until it receives a signal. */
export async function run(): Promise<void> {
  const config = loadConfig();
  const ask = waitForSignal();
  const starting = startService(config);
  // A signal during the start takes effect when the start is complete, so that every part can be stopped.
  const service = await starting;
  console.log(banner(config, service.url));
  await ask;
  console.log("Stopping. Press Ctrl-C again to stop immediately.");
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
