import { join } from "node:path";
import { type Answer, listenOn, makeWaitingServer } from "../chains/demo/node/listen.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { openChannel } from "../lib/process/message-channel.ts";
import { stopDeadlines } from "../lib/process/stop-deadlines.ts";

/**
 * Runs the demo chain as a child of the supervisor until it asks to stop or ends. It listens at once, so that nobody finds its node
 * unreachable, and loads and opens the chain when the supervisor allows it.
 */
export async function runDemoProcess(config: Config, port: number): Promise<void> {
  process.title = "tocsin demo";
  // A terminal sends these to all processes; the supervisor stops them in order.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  const terminated = new Promise<void>((resolve) => process.once("SIGTERM", resolve));
  process.once("disconnect", () => process.exit(1));
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const channel = openChannel(process, { start: async () => allow() });
  const { promise: opening, resolve: open } = Promise.withResolvers<Answer>();
  try {
    await listenOn(makeWaitingServer(opening), port);
    await channel.notify("listening");
    const mayStart = await Promise.race([allowed.then(() => true), terminated.then(() => false)]);
    if (!mayStart) process.exit(0);
    const { runDemo } = await import("../chains/demo/run-demo.ts");
    const demo = await runDemo(join(config.dataDir, "demo"), systemClock);
    open(demo.answer);
    await channel.notify("ready", "");
    await terminated;
    void systemClock.sleep(stopDeadlines.roleMs).then(() => process.exit(1));
    await demo.stop();
  } catch (error) {
    await channel.notify("failed", error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  process.exit(0);
}
