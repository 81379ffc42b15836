import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Locator, Page } from "playwright-core";
import { parseConfig } from "../../src/config.ts";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import { startService, withApp } from "../../src/main.ts";
import { launchChromium } from "../../test/support/chromium.ts";
import { benchDashboardSize } from "./size.ts";

const contracts = 5_000;
const perImport = 500;
/** A slow phone, as a multiple of this machine's CPU time. */
const slowdown = 4;
const actionBudgetMs = 300;
const liveBudgetMs = 500;

/** The sizes of first loads, the cost of actions on a list of 5,000 contracts, and the delay of a live change. */
export async function benchDashboard(): Promise<void> {
  await benchDashboardSize();
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const env = {
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "warn",
    ROLES: "api,jobs",
    RPC_LOCAL: "http://127.0.0.1:1",
  };
  const config = parseConfig(env);
  const service = await startService(config);
  const browser = await launchChromium();
  try {
    const { cookie, send } = await signIn(service.url, (org_id) =>
      withApp(config, (app) => changeAnyOrg(app, systemCaller, org_id, { tier: "enterprise" })),
    );
    const first = await addContracts(send);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: service.url }]);
    const page = await context.newPage();
    await measureList(page, service.url);
    await measureLive(page, service.url, first, (label) => send("PATCH", `/contracts/${first}`, { label }));
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Send = (method: string, path: string, body?: object) => Promise<unknown>;

async function signIn(
  url: string,
  onOrg: (org_id: string) => Promise<unknown>,
): Promise<{ cookie: string; send: Send }> {
  const request = (method: string, path: string, body: object | undefined, cookie: string) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { origin: url, cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const account = { email: "bench@example.com", password: "correct horse battery staple" };
  const reply = await request("POST", "/auth/signup", account, "");
  const cookie = reply.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await onOrg(((await reply.json()) as { active_org_id: string }).active_org_id);
  const send: Send = async (method, path, body) => {
    const answer = await request(method, path, body, cookie);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return { cookie, send };
}

/** Returns the id of the first contract. */
async function addContracts(send: Send): Promise<string> {
  const one = (n: number) => ({
    chain: "local",
    address: `0x${n.toString(16).padStart(40, "0")}`,
    label: `Contract ${n}`,
  });
  for (let from = 1; from <= contracts; from += perImport) {
    await send("POST", "/contracts/bulk-import", {
      contracts: Array.from({ length: perImport }, (_, index) => one(from + index)),
    });
  }
  const [first] = (await send("GET", "/contracts")) as { id: string }[];
  return first?.id ?? "";
}

async function measureList(page: Page, url: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // CPU time of the main thread: wall time depends on what else this machine does.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${url}/contracts`);
  await page.getByText("5000 of 5000 shown").waitFor();
  const filter = page.getByLabel("Filter contracts");
  const sort = page.getByRole("button", { name: "Name" });
  const actions: [string, Locator, () => Promise<unknown>][] = [
    ["filter to one", filter, () => page.evaluate(typeAndWait("contract 4999", "1"))],
    ["clear the filter", filter, () => page.evaluate(typeAndWait("", "5000"))],
    ["filter to many", filter, () => page.evaluate(typeAndWait("contract 9", "[1-4]..."))],
    ["clear again", filter, () => page.evaluate(typeAndWait("", "5000"))],
    ["sort by name", sort, () => page.keyboard.press("Enter")],
    ["sort backwards", sort, () => page.keyboard.press("Enter")],
    ["select all", page.getByLabel("Select all"), () => page.keyboard.press("Space")],
  ];
  // What the test tool does inside the page would count as its work, so that it only moves the focus before an action.
  for (const [name, input, act] of actions) {
    await input.focus();
    const before = await taskMs(session);
    await act();
    await page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
    );
    const ms = ((await taskMs(session)) - before) * slowdown;
    report(`${contracts} contracts, ${name}, at ${slowdown} × CPU`, ms, actionBudgetMs);
  }
}

/** Runs in the page: types into the focused input as a person does, and waits for the number of rows. */
const typeAndWait = (text: string, count: string) => `new Promise((resolve) => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  set.call(document.activeElement, ${JSON.stringify(text)});
  document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
  const isShown = () => [...document.querySelectorAll("main [role=status]")].some((one) => /^${count} of/.test(one.textContent));
  const check = () => (isShown() ? resolve() : requestAnimationFrame(check));
  check();
})`;

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
}

/** From the message of the stream to the changed heading, inside the page. */
async function measureLive(
  page: Page,
  url: string,
  id: string,
  rename: (label: string) => Promise<unknown>,
): Promise<void> {
  await page.addInitScript(`
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, run) {
      listen.call(this, name, (event) => {
        if (name === "contract.updated") window.heardAt = performance.now();
        run(event);
      });
    };
    new MutationObserver(() => {
      const text = document.querySelector("h1")?.textContent;
      if (text?.startsWith("Round") && text !== window.shown) {
        window.shown = text;
        window.shownAt = performance.now();
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  `);
  await page.goto(`${url}/contracts/${id}?tab=access`);
  await page.getByRole("button", { name: /^Live\./ }).waitFor();
  for (let round = 1; round <= 3; round++) {
    await rename(`Round ${round}`);
    await page.getByRole("heading", { level: 1, name: `Round ${round}` }).waitFor();
    const ms = (await page.evaluate("window.shownAt - window.heardAt")) as number;
    report(`live change ${round}, from message to screen`, ms, liveBudgetMs);
  }
}

function report(what: string, ms: number, budget: number): void {
  console.log(`${what}: ${Math.round(ms)} ms, ${ms <= budget ? "within" : "OVER"} ${budget} ms`);
}
