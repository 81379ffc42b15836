import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A TypeScript file with its path from the root of the repository. */
export type Source = { path: string; text: string };

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Reads the TypeScript files of a folder, without tests. */
export function readSources(folder: string): Source[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }));
}

type Import = { specifier: string; line: number };

/** Several checks read the imports of the same files. */
const importsBySource = new WeakMap<Source, Import[]>();

/** Returns the import specifiers of a file, including re-exports and dynamic imports, with their lines. */
export function importsOf(source: Source): Import[] {
  const imports = importsBySource.get(source) ?? readImports(source);
  importsBySource.set(source, imports);
  return imports;
}

function readImports({ text }: Source): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: text.slice(0, pos).split("\n").length,
  }));
}
