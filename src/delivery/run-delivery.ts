import type { App } from "../app.ts";
import { Dispatcher } from "./dispatcher.ts";
import { fanOutFew, fanOutMany, fanOutUnmuted, type Round } from "./fan-out.ts";
import { RoundRobin } from "./pick-lanes.ts";

/** Hints make it quick; the clock makes it sure. */
const pollMs = 1_000;
const renewEveryMs = 4_000;
const busyMs = 100;
/** Longer than a request to a provider may take. */
const patienceMs = 12_000;

/** Tells people until stopped. Stopping waits for what is being sent. */
export function runDelivery(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const dispatcher = new Dispatcher(app);
  const [turns, turnsUnmuted] = [new RoundRobin(), new RoundRobin()];
  const work = [
    loop(app, stopping.signal, "notice.written", () => fanOutFew(app)),
    loop(app, stopping.signal, "notice.written", () => fanOutMany(app, turns)),
    loop(app, stopping.signal, "silence.lifted", () => fanOutUnmuted(app, turnsUnmuted)),
    loop(app, stopping.signal, "delivery.queued", (wake) => dispatchRound(dispatcher, wake)),
  ];
  const renewing = keepRenewing(app, dispatcher, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(work);
      await dispatcher
        .stop(patienceMs)
        .catch((error) => app.log.warn({ err: error }, "a lease was not given back"));
      await renewing;
    },
  };
}

/** What is found is claimed and sent beside the next look: nobody waits for what is made ready for another. */
async function dispatchRound(dispatcher: Dispatcher, wake: () => void): Promise<Round> {
  void dispatcher.begin(await dispatcher.pick(), wake);
  // All that could be was picked. What is due but still behind another message would be picked again and again.
  return { isBusy: false, hasMore: false };
}

/** Runs a round again and again: at once while there is more, else at the next hint or look. */
async function loop(
  app: App,
  stopping: AbortSignal,
  topic: string,
  round: (wake: () => void) => Promise<Round>,
): Promise<void> {
  let pause = new AbortController();
  const wake = () => pause.abort();
  const unsubscribe = app.bus.subscribe(topic, wake);
  while (!stopping.aborted) {
    // Renewed before the round: a hint that comes while it runs must cause another.
    pause = new AbortController();
    const { isBusy, hasMore } = await round(wake).catch((error): Round => {
      app.log.warn({ err: error, topic }, "delivery failed and will go on");
      return { isBusy: false, hasMore: false };
    });
    if (isBusy) await app.clock.sleep(busyMs, stopping);
    else if (!hasMore) await app.clock.sleep(pollMs, AbortSignal.any([stopping, pause.signal]));
  }
  unsubscribe();
}

/** A lease outlasts several renewals, so that one that fails does no harm. */
async function keepRenewing(app: App, dispatcher: Dispatcher, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await dispatcher.renew().catch((error) => app.log.warn({ err: error }, "a lease was not renewed"));
    await app.clock.sleep(renewEveryMs, stopping);
  }
}
