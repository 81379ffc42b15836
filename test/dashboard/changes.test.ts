import { describe, expect } from "vitest";
import type { Channel } from "../../src/wire/channels/channels.ts";
import { runSize } from "../support/run-size.ts";
import { browserTest, expectGoodPage, hasChromium, heading, picture, useBrowser, visit } from "./browser.ts";
import { makeWorld, type World } from "./world.ts";

const isLong = runSize("DASHBOARD_LONG", { short: 0, long: 1 }) > 0;
const world = isLong && hasChromium ? await makeWorld() : (undefined as unknown as World);

describe.runIf(isLong)("changes in the dashboard in a long run:", () => {
  const browser = useBrowser();

  const open = () => visit(browser(), world.url, { cookie: world.ada.cookie });

  browserTest("a target is added with a name from the ABI, turned off and deleted", async () => {
    const { page, context } = await open();
    await page.goto(`${world.url}/contracts/${world.contract.id}?tab=targets`);
    await page.getByRole("button", { name: "Add target" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a target" });
    await dialog.getByLabel("What to measure").selectOption("function_call_rate");
    await dialog.locator("datalist option[value='mint(address,uint256)']").waitFor({ state: "attached" });
    await picture(page, "add-target");
    await expectGoodPage(page, "add target");
    await dialog.getByLabel("Function signature").fill("mint(address");
    await dialog.getByRole("button", { name: "Add target" }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await expectGoodPage(page, "an error in a form");
    await dialog.getByLabel("Function signature").fill("mint(address,uint256)");
    await dialog.getByRole("button", { name: "Add target" }).click();
    await page.getByText("function_call_rate").waitFor();
    const toggle = page.getByRole("switch", { name: /Measure .*[Cc]all/ });
    await toggle.click();
    await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("false");
    await page.getByRole("button", { name: /Delete .*[Cc]all/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete target" }).click();
    await page.getByText("function_call_rate").waitFor({ state: "detached" });
    await context.close();
  });

  browserTest("a contract is found, labelled in bulk and silenced, and the silence is ended", async () => {
    const { page, check, context } = await open();
    await page.goto(`${world.url}/contracts`);
    await page.getByLabel("Filter contracts").fill("vault");
    await page.getByLabel("Select the row").check();
    await page.getByRole("button", { name: "Add label" }).click();
    await page.getByLabel("Label", { exact: true }).last().fill("team:core");
    await page.getByRole("dialog").getByRole("button", { name: "Add label" }).click();
    await page.getByRole("row", { name: /team:core/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=vault");
    await page.goto(`${world.url}/alerts/events/${world.event.id}`);
    await page.getByRole("button", { name: "Silence" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Silence" }).click();
    await page.getByText("Token vault is silenced for 1 hour.").waitFor();
    await page.goto(`${world.url}/silences`);
    const item = page.getByRole("listitem").filter({ hasText: "Being worked on" });
    await item.getByRole("button", { name: "End now" }).click();
    await item.getByRole("button", { name: "End now" }).waitFor({ state: "detached" });
    check();
    await context.close();
  });

  browserTest("a channel is tested before it is added, and with a change before that is saved", async () => {
    const { page, context } = await open();
    await page.goto(`${world.url}/channels/new?type=webhook`);
    await page.getByLabel("Name", { exact: true }).fill("Backup");
    await page.getByLabel("URL").fill("https://127.0.0.1:1/nothing-listens-here");
    const test = page.getByRole("button", { name: "Send a test", exact: true });
    await test.click();
    await page.getByRole("alert").first().waitFor();
    await expectGoodPage(page, "a failed test of a channel");
    await page.getByLabel("URL").fill(world.receiver.url);
    const before = world.receiver.bodies.length;
    await test.click();
    await page.getByText(/accepted the test message. Nothing is saved yet/).waitFor();
    expect(world.receiver.bodies.length).toBe(before + 1);
    expect(await world.ada.send<Channel[]>("GET", "/channels")).toHaveLength(2);
    await page.goto(`${world.url}/channels/${world.channel.id}`);
    await page.getByRole("button", { name: "Test this change" }).click();
    await page.getByText(/accepted the test message. Nothing is saved yet/).waitFor();
    expect(world.receiver.bodies.length).toBe(before + 2);
    await context.close();
  });

  browserTest(
    "a rule is changed to the suggested limit, and its channel deleted once its rules only record",
    async () => {
      const { page, context } = await open();
      await page.goto(`${world.url}/rules/${world.rule.id}`);
      await page.getByText(/Would have fired/).waitFor();
      await page.getByRole("button", { name: "Table" }).click();
      await page.getByRole("region", { name: "Back-test" }).waitFor();
      const limit = page.getByLabel("Limit", { exact: true });
      await page.getByLabel("Condition", { exact: true }).selectOption("gt");
      await limit.fill("0");
      await page.getByText(/With a limit of .* it would fire at most once a day/).waitFor();
      await page.getByRole("button", { name: "Use it" }).click();
      expect(Number(await limit.inputValue())).toBeGreaterThan(0);
      await limit.fill("50");
      await page.getByText(/Would not have fired/).waitFor();
      await page.getByRole("button", { name: "Save rule" }).click();
      await heading(page, "Rules");
      await page.goto(`${world.url}/channels/${world.channel.id}`);
      await page.getByRole("button", { name: "Delete" }).click();
      const dialog = page.getByRole("alertdialog");
      await dialog.getByRole("button", { name: "Delete channel" }).click();
      await dialog.getByText(/Busy token/).waitFor();
      await dialog.getByLabel("Rules that notify only this channel").selectOption("record");
      await dialog.getByRole("button", { name: "Delete channel" }).click();
      await heading(page, "Channels");
      await page.getByText("On-call").waitFor({ state: "detached" });
      expect(await world.ada.send<Channel[]>("GET", "/channels")).toMatchObject([{ name: "Team" }]);
      await context.close();
    },
  );
});
