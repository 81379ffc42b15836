import { flushCompileCache } from "node:module";
import { join, relative } from "node:path";
import { chainOf } from "../chains/index.ts";
import { withDemo } from "../config/demo.ts";
import { parseRoles } from "../config/settings.ts";
import { type Config, loadConfig } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { openLog } from "../lib/log/log.ts";
import { stopDeadlines } from "../lib/process/stop-deadlines.ts";
import type { Service } from "../main.ts";
import { UsageError } from "./command.ts";

/** npm passes on the signal that the terminal has sent to the service too, so that one press of Ctrl-C is two signals. */
const samePressMs = 500;

/** Runs the service until it receives a signal. With roles as an argument it is a process of the supervisor. */
export async function run([roles, option]: string[] = []): Promise<void> {
  const config = loadConfig();
  if (roles === "demo" && process.connected) {
    const { runDemoProcess } = await import("./demo-process.ts");
    return runDemoProcess(config, Number(option));
  }
  if (roles !== undefined && process.connected) {
    const { runRoleProcess } = await import("./role-process.ts");
    return runRoleProcess(option ? withDemo(config, option) : config, parseRoles(roles));
  }
  if (roles !== undefined) throw new UsageError("serve has no arguments. Set ROLES to choose roles.");
  const ask = waitForSignal();
  const starting = start(config);
  // A signal during the start takes effect when the start is complete, so that every part can be stopped.
  const service = await starting;
  const endNow = (code: number) => {
    service.kill?.();
    process.exit(code);
  };
  console.log(banner(config, service.url));
  // Also for the start after a crash, which does not write the cache.
  flushCompileCache();
  await ask;
  console.log("Stopping. Press Ctrl-C again to stop immediately.");
  void waitForSignal(samePressMs).then(() => endNow(130));
  // The database recovers at the next start.
  void systemClock.sleep(stopDeadlines.serviceMs).then(() => endNow(1));
  await service.stop();
  process.exit(0);
}

/** The parts are loaded on use: the supervisor needs only a few of them. */
async function start(config: Config): Promise<Service> {
  const { processesOf, startSupervised } = await import("../supervisor.ts");
  if (processesOf(config).length > 1) return startSupervised(config);
  const { startService } = await import("../main.ts");
  return config.runsDemo ? startWithDemo(config, startService) : startService(config);
}

/** Everything in one process, except the demo chain beside it, which waits until the data folder is locked. */
async function startWithDemo(
  config: Config,
  startService: (config: Config) => Promise<Service>,
): Promise<Service> {
  const { startDemoChain } = await import("../supervisor.ts");
  const { promise: mayStart, resolve: allow } = Promise.withResolvers<void>();
  const chain = await startDemoChain(openLog(config), mayStart);
  await chain.listening;
  const service = await startService(withDemo(config, chain.url)).catch(async (error: unknown) => {
    await chain.stop();
    throw error;
  });
  allow();
  const stop = async () => {
    await service.stop();
    await chain.stop();
  };
  return { ...service, stop, kill: chain.kill };
}

/** Resolves with the first signal after `ignoredMs`. */
function waitForSignal(ignoredMs = 0): Promise<void> {
  const nowMs = () => systemClock.now().getTime();
  const fromMs = nowMs() + ignoredMs;
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => nowMs() >= fromMs && resolve());
  });
}

/** For a person at a terminal: where to go, what is on, what to do next. */
function banner(config: Config, url: string): string {
  const mail = relative(process.cwd(), join(config.dataDir, "mail"));
  if (!url) return `\nTocsin ${config.version} runs ${[...config.roles].join(", ")}, without the API.\n`;
  return [
    "",
    `Tocsin ${config.version} listens on ${url}`,
    "",
    `  Open ${url}/${config.signupMode === "closed" ? "login" : "signup"} in a browser${nextStep(config)}`,
    "",
    `  Chains     ${chainsText(config)}`,
    `  Mail       ${config.smtpUrl ? "is sent by your mail server" : `is written to ${mail}; set SMTP_URL to send it`}`,
    `  Data       is in ${relative(process.cwd(), config.dataDir) || "."}`,
    `  API        ${url}/redoc`,
    "  Ctrl-C stops it.",
    "",
  ].join("\n");
}

function nextStep({ signupMode, runsDemo }: Config): string {
  if (signupMode === "closed") return ". Sign-up is closed; `npx tocsin staff create` makes a staff account.";
  if (signupMode === "approval")
    return " and ask for an account. Staff approve it: `npx tocsin staff create` makes a staff account.";
  return runsDemo ? ', create your account and press "Show me".' : " and create your account.";
}

function chainsText({ rpc, runsDemo }: Config): string {
  const names = [...rpc.keys()].map((chain) => chainOf(chain)?.name ?? chain);
  const all = [...names, ...(runsDemo ? ["Demo"] : [])];
  if (names.length > 0) return all.join(", ");
  const how = "set RPC_ETHEREUM or another RPC_<CHAIN> to watch a real one";
  return runsDemo ? `Demo, a small chain without a network; ${how}` : `none; ${how}`;
}
