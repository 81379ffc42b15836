import { readFile, stat } from "node:fs/promises";

const dist = new URL("../../web/dist/", import.meta.url);
/** Budgets of a first load, compressed, in kB. */
const budgets = { account: 90, app: 220 };

type Chunk = { file: string; imports?: string[]; css?: string[] };
type Manifest = Record<string, Chunk>;

/** Prints what each page loads first: its entry, its own files and everything that they import. */
export async function benchDashboardSize(): Promise<void> {
  const manifest = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8")) as Manifest;
  await print(manifest, "log-in", ["auth.html"], budgets.account);
  const routes = Object.keys(manifest).filter((key) => key.startsWith("src/routes/"));
  for (const route of routes.sort()) {
    const name = route.replace(/^src\/routes\/|\.tsx$/g, "");
    await print(manifest, name, ["index.html", route], budgets.app);
  }
}

async function print(manifest: Manifest, name: string, keys: string[], budget: number): Promise<void> {
  const files = new Set<string>();
  for (const key of keys) collect(manifest, key, files);
  const sizes = await Promise.all([...files].map(sizesOf));
  const total = (kind: "gzip" | "br") => sizes.reduce((sum, siz) => sum + siz[kind], 0) / 1000;
  const verdict = total("gzip") <= budget ? "within" : "OVER";
  console.log(
    `${name.padEnd(14)} ${total("gzip").toFixed(1).padStart(6)} kB gzip, ${total("br").toFixed(1).padStart(6)} kB brotli: ${verdict} ${budget} kB`,
  );
}

function collect(manifest: Manifest, key: string, files: Set<string>): void {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const imported of chunk.imports ?? []) collect(manifest, imported, files);
}

async function sizesOf(file: string): Promise<{ gzip: number; br: number }> {
  const size = async (suffix: string) => (await stat(new URL(`${file}${suffix}`, dist))).size;
  return { gzip: await size(".gz"), br: await size(".br") };
}
