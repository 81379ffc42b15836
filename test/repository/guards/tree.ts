import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { root } from "./sources.ts";

/** Returns the paths of all files and folders that git does not ignore. */
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

/** The plain names in .gitignore; patterns with a star are not supported. */
function ignoredNames(): Set<string> {
  const lines = readFileSync(`${root}/.gitignore`, "utf8").split("\n");
  return new Set([".git", ...lines.map((line) => line.trim().replace(/\/$/, ""))]);
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
