import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startService } from "../dashboard/service.ts";
import { longTest } from "../support/run-size.ts";

const url = process.env.TEST_LONG ? await startService({ DEMO: "1" }) : "";

/** The commands of a page, except those that start a service. */
function commandsIn(page: string): string {
  const blocks = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8").matchAll(
    /```sh\n(.*?)```/gs,
  );
  return [...blocks].flatMap(([, text = ""]) => (text.includes("npm start") ? [] : [text])).join("\n");
}

longTest("the first steps with the API work as they are documented, on a new service", () => {
  const folder = mkdtempSync(join(tmpdir(), "tocsin-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = commandsIn("api.md").replaceAll("http://127.0.0.1:8080", url);
  const output = execFileSync("sh", ["-euc", script], { cwd: folder, encoding: "utf8" });
  expect(output).toContain('"email":"you@example.com"');
  expect(output).toMatch(/"title": "[^"]*Demo Dollar/);
});
