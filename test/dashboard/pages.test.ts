import { describe, expect, test } from "vitest";
import { runSize } from "../support/run-size.ts";
import {
  browserTest,
  expectGoodPage,
  hasChromium,
  heading,
  type Look,
  picture,
  useBrowser,
  looks as views,
  visit,
} from "./browser.ts";
import { firstMinutes } from "./newcomer.ts";
import { makeWorld, type World } from "./world.ts";

/** A short run opens the essential pages, each in one of two looks; a long run opens all pages in all four looks. */
const viewsPerPage = runSize("DASHBOARD_LOOKS", { short: 1, long: 4 });
const isShort = viewsPerPage === 1;

const browser = useBrowser();
// Without a browser every test is skipped. A long run has the demo chain in `first-minutes.test.ts`.
const world = hasChromium
  ? await makeWorld({ demoBlocks: isShort ? 60 : undefined })
  : (undefined as unknown as World);

/** Every page by its link, with the heading and a text that shows that its data has arrived. */
const pages: [name: string, path: (world: World) => string, heading: RegExp, text: RegExp][] = [
  ["overview", () => "/", /Overview/, /\d+ transactions in 5 min/],
  ["alerts", () => "/alerts", /Alerts/, /1 of 1 shown/],
  ["alerts-filtered", () => "/alerts?severity=info&range=1h", /Alerts/, /No alert matches these filters/],
  [
    "event",
    ({ event }) => `/alerts/events/${event.id}`,
    /\d+ transactions/,
    /The highest value within an hour/,
  ],
  ["contracts", () => "/contracts", /Contracts/, /1 of 1 shown/],
  ["new-contract", () => "/contracts/new", /Add a contract/, /Which contract/],
  ["contract-live", ({ contract }) => `/contracts/${contract.id}`, /Token vault/, /% of limit/],
  ["contract-targets", ({ contract }) => `/contracts/${contract.id}?tab=targets`, /Token vault/, /tx_rate/],
  ["contract-rules", ({ contract }) => `/contracts/${contract.id}?tab=rules`, /Token vault/, /Busy token/],
  [
    "contract-events",
    ({ contract }) => `/contracts/${contract.id}?tab=events`,
    /Token vault/,
    /\d+ transactions in 5 min/,
  ],
  [
    "contract-analysis",
    ({ contract }) => `/contracts/${contract.id}?tab=analysis`,
    /Token vault/,
    /Who controls it/,
  ],
  ["contract-proxy", ({ contract }) => `/contracts/${contract.id}?tab=proxy`, /Token vault/, /Not a proxy/],
  [
    "contract-bridge",
    ({ contract }) => `/contracts/${contract.id}?tab=bridge`,
    /Token vault/,
    /No bridge routes/,
  ],
  [
    "contract-access",
    ({ contract }) => `/contracts/${contract.id}?tab=access`,
    /Token vault/,
    /Grant access/,
  ],
  ["rules", () => "/rules", /Rules/, /Busy token/],
  ["new-rule", ({ contract }) => `/rules/new?contract=${contract.id}`, /Create a rule/, /Looking at/],
  ["rule", ({ rule }) => `/rules/${rule.id}`, /Busy token/, /Would have fired/],
  ["noisy-rules", () => "/rules/noisy", /Noisiest rules/, /Busy token/],
  ["policies", () => "/policies", /Policies/, /No policies yet/],
  ["new-policy", () => "/policies/new", /Create a policy/, /What to measure/],
  ["imports", () => "/imports", /Import contracts/, /Check without importing/],
  ["channels", () => "/channels", /Channels/, /On-call/],
  ["new-channel", () => "/channels/new", /Add a channel/, /PagerDuty/],
  ["new-channel-pagerduty", () => "/channels/new?type=pagerduty", /Add PagerDuty/, /Routing key/i],
  ["channel", ({ channel }) => `/channels/${channel.id}`, /On-call/, /Attempt 1: sent/],
  ["inbox", () => "/inbox", /Inbox/, /1 unread message/],
  ["silences", () => "/silences", /Silences/, /Planned upgrade/],
  ["components", () => "/ui", /Components/, /A wave between/],
  [
    "not-found",
    () => "/rules/00000000-0000-4000-8000-000000000000",
    /Not found/,
    /There is nothing at this address/,
  ],
];

/** The pages of a short run, besides those that a newcomer sees. The others are much like these. */
const essential = new Set(["event", "contract-live", "new-rule", "channel"]);
const used = isShort ? views.slice(0, 2) : views.slice(0, viewsPerPage);

function pagesOf(look: Look) {
  if (!isShort) return pages;
  return pages
    .filter(([name]) => essential.has(name))
    .filter((_, index) => index % 2 === views.indexOf(look));
}

describe.each(used)("at $width px in $scheme colours", (look: Look) => {
  browserTest(
    "the pages open by their link, without accessibility violations or horizontal scrolling",
    async () => {
      const { page, check, context } = await visit(browser(), world.url, {
        cookie: world.ada.cookie,
        ...look,
      });
      for (const [name, path, title, text] of pagesOf(look)) {
        await page.goto(`${world.url}${path(world)}`);
        await heading(page, title);
        await page.getByText(text).first().waitFor();
        await picture(page, `${name}-${look.width}-${look.scheme}`);
        await expectGoodPage(page, `${name} at ${look.width} in ${look.scheme}`);
        if (name === "not-found") continue;
        check();
      }
      await context.close();
    },
  );

  test.runIf(hasChromium && !isShort)(
    "the account pages have no accessibility violations or horizontal scrolling",
    async () => {
      const { page, check, context } = await visit(browser(), world.url, look);
      for (const [path, title] of [
        ["/login", "Log in"],
        ["/signup", "Create an account"],
        ["/forgot-password", "Forgot your password?"],
        ["/links/reset-password#token", "Set a new password"],
        ["/links/verify-email", "Incomplete link"],
      ] as const) {
        await page.goto("about:blank");
        await page.goto(`${world.url}${path}`);
        await heading(page, title);
        await picture(page, `account-${title.replace(/\W+/g, "-")}-${look.width}-${look.scheme}`);
        await expectGoodPage(page, title);
      }
      check();
      await context.close();
    },
  );
});

test.runIf(hasChromium && isShort)(
  "a newcomer without a node signs up, presses Show me, and follows, silences and removes the first alert",
  async () => {
    const visitor = await visit(browser(), world.url);
    for (const [, step] of firstMinutes) await step({ visitor, url: world.url, email: "grace@example.com" });
    visitor.check();
    await visitor.context.close();
  },
);

browserTest(
  "the palette, the menus and the list of shortcuts are accessible and work by keyboard",
  async () => {
    const { page, check, context } = await visit(browser(), world.url, { cookie: world.ada.cookie });
    await page.goto(world.url);
    await heading(page, "Overview");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    if (!isShort) await expectGoodPage(page, "shortcuts");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await heading(page, "Rules");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("A page, an action").fill("vault");
    await page.getByRole("option", { name: /Token vault/ }).waitFor();
    await picture(page, "palette");
    await expectGoodPage(page, "palette");
    await page.keyboard.press("Enter");
    await heading(page, "Token vault");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Dark theme" }).waitFor();
    if (!isShort) await expectGoodPage(page, "menu");
    const saved = page.waitForResponse((response) => response.url().endsWith("/auth/me/theme"));
    await page.getByRole("menuitem", { name: "Dark theme" }).click();
    expect((await saved).ok()).toBe(true);
    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    check();
    await context.close();
  },
);

test.runIf(hasChromium && !isShort)(
  "a rule shows its message for each channel type, and a fire drill says who is notified before it notifies them",
  async () => {
    const { page, check, context } = await visit(browser(), world.url, { cookie: world.ada.cookie });
    await page.goto(`${world.url}/rules/${world.rule.id}`);
    const example = page.getByRole("region", { name: "Example of the message" });
    await example.getByText('"type": "alert.fired"').waitFor();
    await page.getByLabel("As it looks in").selectOption("SMS");
    await example.getByText(/^Tocsin: Critical: Token vault on .*: 2 transactions in 5 min/).waitFor();
    await page.getByRole("button", { name: "Fire drill" }).click();
    const dialog = page.getByRole("dialog", { name: "Fire drill of Busy token" });
    await dialog.getByText("On-call (webhook)").waitFor();
    await picture(page, "fire-drill");
    await expectGoodPage(page, "fire drill");
    const before = world.receiver.bodies.length;
    await dialog.getByRole("button", { name: "Notify 1 channel" }).click();
    await page.getByText("On-call is being notified").waitFor();
    await page.getByRole("link", { name: "See its deliveries" }).click();
    await heading(page, /Fire drill: Busy token/);
    await page
      .getByText(/Attempt 1: sent/)
      .first()
      .waitFor();
    expect(world.receiver.bodies.length).toBeGreaterThan(before);
    check();
    await page.goto(`${world.url}/rules/${world.rule.id}`);
    await page.getByText("Timing, message and mode").click();
    await page.getByLabel("Message (optional)").fill("{{contract.label}} is {{nothing}}");
    await page.getByText(/uses {{nothing}}, which does not exist/).waitFor();
    await context.close();
  },
);

test.runIf(hasChromium && !isShort)(
  "a rule gets a filter, another condition and an escalation, with the errors of the service at their fields",
  async () => {
    const { page, context } = await visit(browser(), world.url, { cookie: world.ada.cookie });
    await page.goto(`${world.url}/rules/${world.rule.id}`);
    await page.getByText("Conditions on other values").click();
    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("button", { name: "Add step" }).click();
    await page.getByText("Filter transactions, or count by sender or argument").click();
    await page.getByRole("button", { name: "Add function" }).click();
    const signature = page.getByLabel("Signature of the function");
    await signature.fill("transfer(address");
    const save = page.getByRole("button", { name: "Save rule" });
    await save.click();
    await page.getByLabel("Other value").and(page.locator("[aria-invalid=true]")).waitFor();
    await picture(page, "rule-further");
    await expectGoodPage(page, "further conditions");
    await page.getByLabel("Other value").selectOption({ label: "Native balance" });
    await page.getByLabel("also notify Team (inbox)").check();
    await save.click();
    await signature.and(page.locator("[aria-invalid=true]")).waitFor();
    await signature.fill("transfer(address,uint256)");
    await page.getByText(/, and Native balance: the value over 5 min is at least 1/).waitFor();
    await save.click();
    await heading(page, "Rules");
    expect(await world.ada.send("GET", `/alerts/${world.rule.id}`)).toMatchObject({
      condition: {
        match: { functions: [{ signature: "transfer(address,uint256)" }] },
        all: [{ operator: "gte", threshold: 1 }],
      },
      escalation: [{ after_seconds: 900 }],
    });
    await page.getByRole("link", { name: "Noisiest rules" }).click();
    await page.getByRole("button", { name: "Switch to shadow" }).click();
    await page.getByRole("button", { name: "Notify again" }).waitFor();
    expect(await world.ada.send("GET", `/alerts/${world.rule.id}`)).toMatchObject({ mode: "shadow" });
    await context.close();
  },
);

test.runIf(hasChromium && !isShort)(
  "contracts are imported after a dry run, and a policy puts its rule on those with a label, changes it and removes it",
  async () => {
    const { page, check, context } = await visit(browser(), world.url, { cookie: world.ada.cookie });
    await page.goto(`${world.url}/imports`);
    await page
      .getByLabel("Rows")
      .fill(`chain,address,labels\nlocal,0x${"ab".repeat(20)},imported\nlocal,nonsense,imported`);
    await page.getByRole("button", { name: "Check without importing" }).click();
    await page.getByText("1 contract would be added").waitFor();
    await picture(page, "import-checked");
    await expectGoodPage(page, "a checked import");
    await page.getByRole("button", { name: "Import 1 contract" }).click();
    await page.getByText("1 contract added").waitFor();
    await page.goto(`${world.url}/policies/new`);
    await page.getByLabel("Name of the policy").fill("Busy imports");
    await page.getByLabel("With all of these labels").fill("imported");
    await page.getByLabel("What to measure").selectOption("tx_rate");
    await page.getByRole("button", { name: "Create policy" }).click();
    await heading(page, "Policies");
    await page.getByText("On 1 of 1 contract").waitFor();
    await picture(page, "policy-applied");
    await expectGoodPage(page, "an applied policy");
    await page.getByRole("link", { name: "Busy imports" }).click();
    await heading(page, "Busy imports");
    await picture(page, "policy");
    await expectGoodPage(page, "a policy");
    await page.getByLabel("Limit", { exact: true }).fill("77");
    await page.getByRole("button", { name: "Save policy" }).click();
    await heading(page, "Policies");
    await expect
      .poll(() => world.ada.send("GET", "/alerts"))
      .toContainEqual(
        expect.objectContaining({ condition: expect.objectContaining({ threshold: 77 }) as unknown }),
      );
    await page.getByRole("link", { name: "Busy imports" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn on" }).waitFor();
    await page.goto(`${world.url}/policies`);
    await page.getByRole("button", { name: "Delete Busy imports" }).click();
    await page.getByRole("button", { name: "Delete policy" }).click();
    await page.getByRole("heading", { name: "No policies yet" }).waitFor();
    check();
    await context.close();
  },
);
