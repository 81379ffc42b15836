import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { runSize } from "../support/run-size.ts";
import { browserTest, hasChromium, heading, useBrowser, visit } from "./browser.ts";
import { makeWorld, password, type World } from "./world.ts";

/** Only in a long run: what the short scenario does not need. */
const isLong = runSize("DASHBOARD_LONG", { short: 0, long: 1 }) > 0;
const world = isLong && hasChromium ? await makeWorld() : (undefined as unknown as World);

describe.runIf(isLong)("the dashboard in a long run:", () => {
  const browser = useBrowser();

  browserTest("the keyboard alone leads from log-in to an acknowledged alert", async () => {
    const { page, check, context } = await visit(browser(), world.url);
    await page.goto(`${world.url}/alerts/events/${world.event.id}`);
    await heading(page, "Log in");
    await page.keyboard.type("ada@example.com");
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await heading(page, /\d+ transactions in 5 min/);
    await page.keyboard.press("a");
    await page.getByText("acknowledged by ada").waitFor();
    const event = await world.ada.send<AlertEvent>("GET", `/alerts/events/${world.event.id}`);
    expect(event.status).toBe("acknowledged");
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await heading(page, "Alerts");
    await page.getByRole("row").nth(1).focus();
    await page.keyboard.press("Enter");
    await heading(page, /\d+ transactions in 5 min/);
    check();
    await context.close();
  });

  browserTest(
    "many tabs share one connection, and the next one continues when its tab is closed",
    async () => {
      const { page, context, check } = await visit(browser(), world.url, { cookie: world.ada.cookie });
      const streams = new Set<Page>();
      context.on("request", (request) => {
        if (request.url().includes("/dashboard/stream")) streams.add(request.frame().page());
      });
      const tabs = [page, ...(await Promise.all([1, 2, 3].map(() => context.newPage())))];
      for (const tab of tabs) {
        await tab.goto(`${world.url}/contracts/${world.contract.id}?tab=access`);
        await tab.getByRole("button", { name: /^Live\./ }).waitFor();
      }
      expect(streams.size).toBe(1);
      await world.ada.send("PATCH", `/contracts/${world.contract.id}`, { label: "Renamed once" });
      for (const tab of tabs) await heading(tab, "Renamed once");
      const [leader] = streams;
      await leader?.close();
      await world.ada.send("PATCH", `/contracts/${world.contract.id}`, { label: "Token vault" });
      for (const tab of tabs.filter((one) => one !== leader)) await heading(tab, "Token vault");
      expect(streams.size).toBe(2);
      check();
      await context.close();
    },
  );

  browserTest("a paused page keeps what it shows, and catches up when it continues", async () => {
    const { page, context, check } = await visit(browser(), world.url, { cookie: world.ada.cookie });
    await page.goto(`${world.url}/contracts/${world.contract.id}?tab=access`);
    await page.getByRole("button", { name: /^Live\./ }).click();
    await page.getByRole("button", { name: /^Paused\./ }).waitFor();
    const other = await context.newPage();
    await other.goto(`${world.url}/contracts/${world.contract.id}?tab=access`);
    await heading(other, "Token vault");
    await world.ada.send("PATCH", `/contracts/${world.contract.id}`, { label: "Renamed twice" });
    await heading(other, "Renamed twice");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Token vault");
    await page.getByRole("button", { name: /^Paused\./ }).click();
    await heading(page, "Renamed twice");
    await world.ada.send("PATCH", `/contracts/${world.contract.id}`, { label: "Token vault" });
    check();
    await context.close();
  });

  browserTest(
    "a link of another organisation offers to switch, and other tabs notice the switch",
    async () => {
      const { page, context } = await visit(browser(), world.url, { cookie: world.ada.cookie });
      await page.goto(world.url);
      await page.getByRole("button", { name: /^Organisation: Acme/ }).click();
      await page.getByRole("menuitem", { name: "Create organisation" }).click();
      await page.getByLabel("Name").fill("Beta");
      await page.getByRole("button", { name: "Create and switch to it" }).click();
      await page.getByRole("button", { name: /^Organisation: Beta/ }).waitFor();
      const other = await context.newPage();
      await other.goto(`${world.url}/alerts/events/${world.event.id}`);
      await heading(other, "Not found");
      await other.getByRole("button", { name: "Open in Acme" }).click();
      await heading(other, /\d+ transactions in 5 min/);
      await page.getByRole("dialog", { name: "You switched to Acme" }).waitFor();
      await page.getByRole("button", { name: "Open Acme" }).click();
      await page.getByRole("button", { name: /^Organisation: Acme/ }).waitFor();
      await context.close();
    },
  );

  browserTest(
    "plain http on a local network, which has neither locks nor a clipboard, still works",
    async () => {
      const { page, context, check } = await visit(browser(), world.url, { cookie: world.ada.cookie });
      await context.addInitScript(`for (const name of ["locks", "clipboard"])
      Object.defineProperty(Navigator.prototype, name, { get: () => undefined });`);
      await page.goto(`${world.url}/contracts/${world.contract.id}?tab=access`);
      await page.getByRole("button", { name: /^Live\./ }).waitFor();
      await page.getByRole("button", { name: /^Copy 0x/ }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      check();
      await context.close();
    },
  );

  browserTest("a session that ends leads to the log-in page, and back to the same place", async () => {
    const { page, context } = await visit(browser(), world.url);
    await page.goto(`${world.url}/rules?severity=critical`);
    await logIn(page);
    await heading(page, "Rules");
    await page.evaluate("fetch('/api/v1/auth/logout', { method: 'POST' })");
    await heading(page, "Log in");
    await logIn(page);
    await heading(page, "Rules");
    expect(new URL(page.url()).search).toBe("?severity=critical");
    await context.close();
  });
});

async function logIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}
