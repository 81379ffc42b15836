import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { hasChromium, launchChromium, reportMissingChromium } from "../support/chromium.ts";

export { hasChromium };

reportMissingChromium("the dashboard");

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });

/** A test that needs Chromium. */
export const browserTest = test.runIf(hasChromium);

export type Look = { width: 360 | 1280; scheme: "light" | "dark" };
export const looks: Look[] = [
  { width: 1280, scheme: "light" },
  { width: 360, scheme: "dark" },
  { width: 1280, scheme: "dark" },
  { width: 360, scheme: "light" },
];

/** One Chromium for the test file, unless none of its tests run. */
export function useBrowser(isUsed = hasChromium): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (isUsed) browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return () => browser as Browser;
}

export type Visitor = { context: BrowserContext; page: Page; check: () => void };

/**
 * A browser with its own storage and, with a cookie, a session. `check` fails on console errors, errors of pages,
 * violations of the content security policy and requests to other origins.
 */
export async function visit(
  browser: Browser,
  origin: string,
  { cookie, width = 1280, scheme = "light" }: Partial<Look> & { cookie?: string } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: width === 360 ? 740 : 800 },
    ...(width === 360 && { hasTouch: true, isMobile: true }),
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
  });
  context.setDefaultTimeout(60_000);
  for (const pair of cookie?.split("; ") ?? []) {
    const [name = "", value = ""] = pair.split("=");
    await context.addCookies([{ name, value, url: origin }]);
  }
  const problems: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} ${message.location().url}`.trim());
  });
  context.on("weberror", (error) => problems.push(error.error().message));
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) problems.push(`request to ${url}`);
  });
  const page = await context.newPage();
  onTestFailed(async () => {
    process.stderr.write(`The page at the failure: ${page.url()} ${problems.join(" ")}\n`);
    await picture(page, "failure").catch(() => undefined);
  });
  return {
    context,
    page,
    check: () => expect.soft(problems.splice(0)).toEqual([]),
  };
}

/** Waits until the heading of a page is there; the address changes earlier. */
export async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Expects a page without accessibility violations and without horizontal scrolling. An open menu is outside the landmarks. */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  await page.evaluate(axeSource);
  const violations =
    (await page.evaluate(`axe.run(document, { resultTypes: ["violations"], rules: { region: { enabled: !document.querySelector("[role=menu]") } } }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")).join(" | ")))`)) as string[];
  expect.soft([name, violations]).toEqual([name, []]);
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect.soft([name, overflow]).toEqual([name, 0]);
}

/** Saves a picture for people to look at, if a folder was given. */
export async function picture(page: Page, name: string): Promise<void> {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}
