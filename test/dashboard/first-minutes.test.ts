import { expect, test } from "vitest";
import { runSize } from "../support/run-size.ts";
import { hasChromium, useBrowser, visit } from "./browser.ts";
import { firstMinutes } from "./newcomer.ts";
import { startAsStranger } from "./stranger.ts";

/** A short run has the same steps in `pages.test.ts`, on a service that its tests share. */
const isPlayed = hasChromium && runSize("FIRST_MINUTES_CLONE", { short: 0, long: 1 }) > 0;
/** From the moment at which the service is ready. */
const maxAlertSeconds = 60;

const browser = useBrowser(isPlayed);
const url = isPlayed ? await startAsStranger() : "";
const readyAt = performance.now();

test.runIf(isPlayed)(
  "a newcomer clones the repository, starts the service, signs up, presses Show me, and sees the first alert within a minute",
  async () => {
    const visitor = await visit(browser(), url);
    const seconds = new Map<string, number>();
    for (const [name, step] of firstMinutes) {
      await step({ visitor, url, email: "ada@example.com" });
      seconds.set(name, (performance.now() - readyAt) / 1000);
    }
    const lines = [...seconds].map(([name, after]) => `${after.toFixed(1).padStart(6)} s  ${name}`);
    process.stdout.write(`After the service was ready:\n${lines.join("\n")}\n`);
    expect(seconds.get("saw the alert")).toBeLessThan(maxAlertSeconds);
    visitor.check();
    await visitor.context.close();
  },
);
