import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { locateFile } from "../lib/process/installation.ts";

export type Asset = {
  type: string;
  etag: string;
  content: Buffer;
  /** Compressed by the build. */
  encoded: Partial<Record<"br" | "gzip", Buffer>>;
};

export type DashboardFiles = {
  pages: Record<"auth.html" | "index.html", string>;
  assets: Map<string, Asset>;
};

/** Reads the built dashboard into memory; undefined if it was not built. */
export async function openDashboard(): Promise<DashboardFiles | undefined> {
  const folder = locateFile("web/dist");
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const page = (name: string) => readFile(join(folder, name), "utf8");
  const names = (await readdir(join(folder, "assets"))).filter((name) => !/\.(br|gz)$/.test(name));
  const assets = await Promise.all(
    names.map(async (name) => [name, await readAsset(join(folder, "assets", name))] as const),
  );
  return {
    pages: { "auth.html": await page("auth.html"), "index.html": await page("index.html") },
    assets: new Map(assets),
  };
}

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

async function readAsset(path: string): Promise<Asset> {
  const content = await readFile(path);
  const compressed = async (suffix: string) =>
    existsSync(path + suffix) ? readFile(path + suffix) : undefined;
  const [br, gzip] = await Promise.all([compressed(".br"), compressed(".gz")]);
  return {
    type: types[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
    content,
    encoded: { ...(br && { br }), ...(gzip && { gzip }) },
  };
}
