import type { Hex } from "viem";
import { expect, test } from "vitest";
import { startNode } from "../chain/node.ts";
import { runSize } from "../support/run-size.ts";
import { expectGoodPage, hasChromium, heading, picture, useBrowser, visit } from "./browser.ts";
import { startReceiver, startService } from "./service.ts";

/** A short run has the first minutes of a newcomer without a node instead. */
const isPlayed = hasChromium && runSize("DASHBOARD_LONG", { short: 0, long: 1 }) > 0;
const browser = useBrowser(isPlayed);
const { node, receiver, url } = isPlayed ? await start() : ({} as Awaited<ReturnType<typeof start>>);

async function start() {
  const [node, receiver] = await Promise.all([startNode(), startReceiver()]);
  const url = await startService({ RPC_LOCAL: node.url, OUTBOUND_ALLOW: "127.0.0.1/32" });
  return { node, receiver, url };
}

test.runIf(isPlayed)(
  "a newcomer signs up, watches a contract, and sees, acknowledges and traces the first alert",
  async () => {
    const token = await node.deploy("Token", 1_000_000n);
    const { page, check, context } = await visit(browser(), url);

    // Sign-up leads back to the page that was asked for.
    await page.goto(`${url}/channels/new`);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
    await page.getByLabel("Organisation (optional)").fill("Acme");
    await page.getByRole("button", { name: "Create account" }).click();

    // A channel, tested while it is added. Its secret is shown once.
    await heading(page, "Add a channel");
    await page.getByRole("button", { name: "Webhook" }).click();
    await page.getByLabel("URL", { exact: true }).fill(receiver.url);
    await page.getByLabel("Name").fill("On-call");
    await page.getByRole("button", { name: "Add and send a test" }).click();
    const dialog = page.getByRole("dialog", { name: "Save the signing secret" });
    await dialog.getByText(/^whsec_/).waitFor();
    await expectGoodPage(page, "a dialog");
    await dialog.getByLabel("I saved it").check();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await heading(page, "On-call");
    await page.getByText("works", { exact: true }).waitFor();
    expect(receiver.bodies).toHaveLength(1);

    // The overview says what to do next.
    await page.getByRole("link", { name: "Overview" }).first().click();
    await heading(page, "Overview");
    await page.getByText("See a message arrive there: done").waitFor();
    await page.getByRole("link", { name: "Add contract" }).click();

    // The contract: paste, look, choose.
    await heading(page, "Add a contract");
    await page.getByLabel("Address or explorer link").fill(token.address);
    await page.getByLabel("Chain").selectOption("local");
    await page.getByRole("button", { name: "Inspect" }).click();
    await page.getByText("More that can be measured").click();
    // The free tier allows five targets, and as many are chosen.
    await page.getByRole("checkbox", { name: "Pause state" }).uncheck();
    await page.getByRole("checkbox", { name: "Transactions", exact: true }).check();
    // The alert of this scenario comes from a rule of its own.
    await page.getByLabel("Recommended rules").selectOption({ label: "None for now" });
    await page.getByLabel("Name").fill("Token vault");
    await page.getByRole("button", { name: "Add contract" }).click();
    await heading(page, "Token vault");

    // A rule, with what it would have done.
    await page.getByRole("link", { name: "Add rule" }).click();
    await heading(page, "Create a rule");
    await page.getByLabel("Value", { exact: true }).selectOption({ label: "Transactions" });
    await page.getByLabel("Limit", { exact: true }).fill("2");
    await page.getByText("Token vault: the number over 5 min is at least 2 transactions.").waitFor();
    await page.getByText(/There are no stored values in this range yet|Would not have fired/).waitFor();
    await page.getByLabel("Severity").selectOption("critical");
    await page.getByLabel("Name of the rule").fill("Busy token");
    await page.getByRole("button", { name: "Create rule" }).click();
    await heading(page, "Rules");
    await page.getByRole("link", { name: "Busy token" }).waitFor();

    // The alert appears without a reload, and the list does not jump.
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await page.getByRole("heading", { name: "No alerts in the last seven days" }).waitFor();
    await page.getByRole("button", { name: /^Live\./ }).waitFor();
    const friend = node.accounts[1] as Hex;
    // Transactions are sent until the engine has loaded the rule. Those before count as well, so that there may be more than two.
    const sending = new AbortController();
    const sent = sendUntil(sending.signal, () => token.send("transfer", [friend, 5n]));
    await page.getByRole("button", { name: "1 new alert, show" }).click();
    sending.abort();
    await sent;
    await page.getByRole("link", { name: /^Token vault on .*\d+ transactions in 5 min/ }).click();

    // The page that the message links to: act, then read on.
    await heading(page, /\d+ transactions in 5 min/);
    expect(new URL(page.url()).pathname).toMatch(/^\/alerts\/events\/[\w-]+$/);
    await page.getByText(/Still going on, for/).waitFor();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("acknowledged by").waitFor();
    await page
      .getByText(/Attempt 1: sent, status 200/)
      .first()
      .waitFor();
    await page.getByText(/The highest value within an hour of the alert was/).waitFor();
    expect(receiver.bodies.some((body) => body.includes("Busy token"))).toBe(true);
    await picture(page, "scenario-event");
    await expectGoodPage(page, "event");
    check();
    await context.close();
  },
);

async function sendUntil(signal: AbortSignal, send: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await send();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
