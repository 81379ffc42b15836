import { dirname, join } from "node:path/posix";

/** A Markdown file with its path from the root of the repository. */
export type Page = { path: string; text: string };

/** Folders and files of the repository, also missing ones, so that a premature citation is found. */
const ownFolders = ["src", "test", "bench", "scripts", "bin", "docs", "web", ".ci", ".github"];
const ownFile =
  /^([A-Z_]+\.md|LICEN[CS]E|Dockerfile|compose\.yaml|biome\.json|(ts|package)[\w-]*\.json|\w+\.config\.ts|\.env\.example)$/;
const npmCommands = ["audit", "ci", "exec", "i", "install", "ls", "outdated", "pack", "version", "view"];

/** Returns the cited paths that do not exist. Of a path with a placeholder, its parent folder must exist. */
export function findMissingPaths(page: Page, tree: Set<string>): string[] {
  const tops = new Set([...ownFolders, ...[...tree].map(topOf)]);
  const isOwn = (word: string) => (word.includes("/") ? tops.has(topOf(word)) : ownFile.test(word));
  const words = codeOf(page.text).flatMap((code) => code.split(/[\s"'(),;|=]+/));
  const paths = words.map((word) => word.replace(/^\.\//, "").replace(/(:\d+|#.*|[.:])$/, "")).filter(isOwn);
  return paths
    .map(knownPart)
    .filter((path) => !tree.has(path))
    .map((path) => `${page.path} cites ${path}`);
}

/** Returns the links to missing files of the repository. */
export function findBrokenLinks(page: Page, tree: Set<string>): string[] {
  const links = withoutCode(page.text).matchAll(/\]\(\s*<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*(\S+)/gm);
  return [...links]
    .map(([, inline, reference]) => inline ?? reference ?? "")
    .filter((target) => !/^([a-z][a-z+.-]*:|#|\/\/)/i.test(target))
    .filter((target) => !isThere(page, target, tree))
    .map((target) => `${page.path} links to ${target}`);
}

/** Returns the cited npm scripts that package.json does not have. */
export function findUnknownScripts(page: Page, scripts: string[]): string[] {
  const calls = codeOf(page.text).flatMap((code) => [
    ...code.matchAll(/\bnpm (?:(run) )?(?:-\S+ )*(\w[\w:-]*)/g),
  ]);
  return calls
    .filter(([, run, name = ""]) => !scripts.includes(name) && (run || !npmCommands.includes(name)))
    .map(([call]) => `${page.path} calls ${call}`);
}

const fence = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1/gm;
const ref = /(`+)([^`]+?)\1/g;

function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(fence)].map(([, , code = ""]) => code);
  const spans = [...text.replace(fence, "").matchAll(ref)].map(([, , code = ""]) => code);
  return [...blocks, ...spans];
}

function withoutCode(text: string): string {
  return text.replace(fence, "").replace(ref, "");
}

function knownPart(path: string): string {
  const segments = path.split("/").filter(Boolean);
  const end = segments.findIndex((segment) => /[<>*{}[\]$…]|\.{3}/.test(segment));
  return segments.slice(0, end === -1 ? undefined : end).join("/");
}

function isThere(page: Page, target: string, tree: Set<string>): boolean {
  const path = decodeURI(target.replace(/[?#].*$/, ""));
  const full = path.startsWith("/") ? path.slice(1) : join(dirname(page.path), path);
  return full === "." || full === "./" || tree.has(full.replace(/\/$/, ""));
}

function topOf(path: string): string {
  return path.split("/")[0] ?? path;
}
