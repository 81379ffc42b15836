import type { App } from "../app.ts";
import { type PollResult, runEvery, runPollLoop } from "../lib/concurrency/poll-loop.ts";
import { stopDeadlines } from "../lib/process/stop-deadlines.ts";
import { Dispatcher } from "./dispatcher.ts";
import { fanOutFew, fanOutMany, fanOutUnmuted, type Round } from "./fan-out.ts";
import { RoundRobin } from "./pick-lanes.ts";

/** Hints make delivery fast; polling finds the work whose hint was lost. */
const pollMs = 1_000;
/** A lease outlasts several renewals, so that one failed renewal does no harm. */
const renewEveryMs = 4_000;
const busyMs = 100;

/** Sends notifications until stopped. Stopping waits for the messages that are being sent. */
export function runDelivery(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const dispatcher = new Dispatcher(app);
  const [turns, turnsUnmuted] = [new RoundRobin(), new RoundRobin()];
  const loops = [
    poll(app, signal, "notice.written", () => waitIfBusy(app, signal, fanOutFew(app))),
    poll(app, signal, "notice.written", () => waitIfBusy(app, signal, fanOutMany(app, turns))),
    poll(app, signal, "silence.lifted", () => waitIfBusy(app, signal, fanOutUnmuted(app, turnsUnmuted))),
    poll(app, signal, "delivery.queued", (wake) => dispatch(dispatcher, wake)),
  ];
  const renewing = keepRenewing(app, dispatcher, signal);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await dispatcher
        .stop(stopDeadlines.drainMs)
        .catch((error) => app.log.warn({ err: error }, "delivery lease not released"));
      await renewing;
    },
  };
}

function poll(
  app: App,
  signal: AbortSignal,
  topic: string,
  work: (wake: () => void) => Promise<PollResult>,
): Promise<void> {
  const { clock, bus } = app;
  const onError = (error: unknown) =>
    app.log.warn({ err: error, topic }, "delivery round failed, will retry");
  return runPollLoop({ clock, signal, intervalMs: pollMs, wakeOn: { bus, topic }, onError }, work);
}

/** While other processes hold the orgs' locks, hints must not make this one spin. */
async function waitIfBusy(app: App, signal: AbortSignal, round: Promise<Round>): Promise<PollResult> {
  const { isBusy, hasMore } = await round;
  if (isBusy) await app.clock.sleep(busyMs, signal);
  return { hasMore: isBusy || hasMore };
}

/** Claims and sends what was picked without waiting for it, so that the next round is not delayed. */
async function dispatch(dispatcher: Dispatcher, wake: () => void): Promise<PollResult> {
  void dispatcher.begin(await dispatcher.pick(), wake);
  // Everything possible was picked. A message that is due but blocked by an earlier one would be picked again and again.
  return { hasMore: false };
}

function keepRenewing(app: App, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
  const onError = (error: unknown) => app.log.warn({ err: error }, "delivery lease not renewed");
  return runEvery({ clock: app.clock, signal, intervalMs: renewEveryMs, onError }, () => dispatcher.renew());
}
