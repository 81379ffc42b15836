import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The headless shell needs two thirds of the processor time of the whole browser, which draws its own windows too. */
const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath = programs.find((program) => existsSync(program));

export const hasChromium = executablePath !== undefined;

/** Reports once per file that its tests in a browser are skipped. */
export function reportMissingChromium(subject: string): void {
  if (!hasChromium)
    process.stderr.write(
      `Skipped: ${subject} in a browser, since there is none at ${programs.join(" or ")}.\n`,
    );
}

/** Starts a browser that makes no connections of its own. */
export async function launchChromium(): Promise<Browser> {
  if (!executablePath) throw new Error(`There is no browser at ${programs.join(" or ")}.`);
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", ...quiet];
  return chromium.launch({ executablePath, args });
}
