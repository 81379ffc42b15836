import { expectGoodPage, heading, picture, type Visitor } from "./browser.ts";
import { password } from "./world.ts";

export type Newcomer = { visitor: Visitor; url: string; email: string };

/** The first minutes of a newcomer without a node, as the steps of a visit. */
export const firstMinutes: readonly (readonly [name: string, step: (newcomer: Newcomer) => Promise<void>])[] =
  [
    ["signed up", signUp],
    ["pressed Show me", showMe],
    ["saw the alert", seeAlert],
    ["silenced it", silence],
    ["removed the demo", remove],
  ];

async function signUp({ visitor: { page }, url, email }: Newcomer): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await heading(page, "Overview");
}

async function showMe({ visitor: { page } }: Newcomer): Promise<void> {
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
async function seeAlert({ visitor: { page } }: Newcomer): Promise<void> {
  const alert = page.getByRole("link", { name: /Demo lending pool .* upgraded by/ }).first();
  await alert.waitFor();
  await picture(page, "first-alert");
  await expectGoodPage(page, "the inbox with an alert");
  await alert.click();
  await heading(page, /upgraded by/);
  await picture(page, "first-alert-page");
}

async function silence({ visitor: { page } }: Newcomer): Promise<void> {
  await page.getByRole("button", { name: "Silence", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Silence", exact: true }).click();
  await page.getByText("Demo lending pool is silenced for 1 hour").waitFor();
}

async function remove({ visitor: { page }, url }: Newcomer): Promise<void> {
  await page.getByRole("button", { name: "Remove the demo" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove the demo" }).click();
  await heading(page, "Overview");
  await page.getByRole("button", { name: "Show me" }).waitFor();
  await page.goto(`${url}/contracts`);
  await page.getByText("No contracts yet").waitFor();
}
