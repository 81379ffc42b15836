import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { restoreLinks } from "./binaries.ts";

test("missing symlinks of the PostgreSQL package are restored, and only those", async () => {
  const root = await mkdtemp(join(tmpdir(), "tocsin-links-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const lib = join(root, "native", "lib");
  await mkdir(lib, { recursive: true });
  await writeFile(join(lib, "libpq.so.5.18"), "library");
  const links = ["libpq.so", "libpq.so.5"].map((name) => ({
    source: "native/lib/libpq.so.5.18",
    target: `native/lib/${name}`,
  }));
  await writeFile(join(root, "native", "pg-symlinks.json"), JSON.stringify(links));
  await restoreLinks(root);
  await restoreLinks(root);
  expect(await readlink(join(lib, "libpq.so"))).toBe("libpq.so.5.18");
  expect(await readFile(join(lib, "libpq.so.5"), "utf8")).toBe("library");
});
