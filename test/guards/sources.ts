import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A TypeScript file of the service: its path from the repository's root, and what it says. */
export type Source = { path: string; text: string };

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every source below a folder, tests left out. */
export function readSources(folder: string): Source[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }));
}

/** What a source imports, re-exports or loads later, as written, with the line it stands on. */
export function importsOf(source: Source): { specifier: string; line: number }[] {
  return ts.preProcessFile(source.text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: source.text.slice(0, pos).split("\n").length,
  }));
}
