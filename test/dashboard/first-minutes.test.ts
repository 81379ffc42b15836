import { expect } from "vitest";
import { runSize } from "../support/run-size.ts";
import {
  browserTest,
  expectGoodPage,
  hasChromium,
  heading,
  picture,
  useBrowser,
  type Visitor,
  visit,
} from "./browser.ts";
import { startService } from "./service.ts";
import { startAsStranger } from "./stranger.ts";

/** In a long run, everything begins with a clone and an empty home. */
const isLong = runSize("FIRST_MINUTES_CLONE", { short: 0, long: 1 }) > 0;
/** From the moment at which the service is ready. */
const maxAlertSeconds = 60;

const browser = useBrowser();
// Without a browser the test is skipped.
const url = !hasChromium ? "" : isLong ? await startAsStranger() : await startService({ DEMO: "1" });
const readyAt = performance.now();

browserTest(
  "a newcomer without a node signs up, presses Show me, and follows, silences and removes the first alert",
  async () => {
    const visitor = await visit(browser(), url);
    const steps = [
      ["signed up", signUp],
      ["pressed Show me", showMe],
      ["saw the alert", seeAlert],
      ["silenced it", silence],
      ["removed the demo", remove],
    ] as const;
    const seconds = new Map<string, number>();
    for (const [name, step] of steps) {
      await step(visitor);
      seconds.set(name, (performance.now() - readyAt) / 1000);
    }
    const lines = [...seconds].map(([name, after]) => `${after.toFixed(1).padStart(6)} s  ${name}`);
    if (isLong) process.stdout.write(`After the service was ready:\n${lines.join("\n")}\n`);
    // A short run shares the machine with the rest of the suite.
    if (isLong) expect(seconds.get("saw the alert")).toBeLessThan(maxAlertSeconds);
    visitor.check();
    await visitor.context.close();
  },
);

async function signUp({ page }: Visitor): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Create account" }).click();
  await heading(page, "Overview");
}

async function showMe({ page }: Visitor): Promise<void> {
  const button = page.getByRole("button", { name: "Show me" });
  await button.waitFor();
  await picture(page, "show-me");
  await expectGoodPage(page, "the overview with the demo");
  await button.click();
  // Nine contracts are inspected and get their rules first, on a machine that may be busy.
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor({ timeout: 150_000 });
  await page.getByText("What is on the chain Demo is not real").waitFor();
}

/** The alert arrives automatically. */
async function seeAlert({ page }: Visitor): Promise<void> {
  const alert = page.getByRole("link", { name: /Demo lending pool .* upgraded by/ }).first();
  await alert.waitFor();
  await picture(page, "first-alert");
  await expectGoodPage(page, "the inbox with an alert");
  await alert.click();
  await heading(page, /upgraded by/);
  await picture(page, "first-alert-page");
}

async function silence({ page }: Visitor): Promise<void> {
  await page.getByRole("button", { name: "Silence", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Silence", exact: true }).click();
  await page.getByText("Demo lending pool is silenced for 1 hour").waitFor();
}

async function remove({ page }: Visitor): Promise<void> {
  await page.getByRole("button", { name: "Remove the demo" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove the demo" }).click();
  await heading(page, "Overview");
  await page.getByRole("button", { name: "Show me" }).waitFor();
  await page.goto(`${url}/contracts`);
  await page.getByText("No contracts yet").waitFor();
}
