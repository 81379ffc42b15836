import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { root } from "./sources.ts";

/** Every file of the repository and every folder that holds one, as paths from the root; nothing git ignores. */
export function readTree(): Set<string> {
  const files = filesBelow("", ignoredNames());
  return new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
}

function filesBelow(folder: string, ignored: Set<string>): string[] {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (ignored.has(entry.name) || ignored.has(`/${path}`)) return [];
    return entry.isDirectory() ? filesBelow(`${path}/`, ignored) : [path];
  });
}

/** The plain names in .gitignore; a pattern with a star matches no name here, so its files count as present. */
function ignoredNames(): Set<string> {
  const lines = readFileSync(`${root}/.gitignore`, "utf8").split("\n");
  return new Set([".git", ...lines.map((line) => line.trim().replace(/\/$/, ""))]);
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
