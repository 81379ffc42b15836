import { dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./sources.ts";

/** The folders and files of `src` in import order: an import may point only to an earlier entry. */
const order = [
  "lib",
  "errors",
  "chains",
  "meters",
  "inspection",
  "discovery",
  "channels",
  "templates",
  "imports",
  "config",
  "wire",
  "tiers",
  "store",
  "faults",
  "app",
  "pipeline",
  "delivery",
  "domain",
  "jobs",
  "http",
  "database",
  "main",
  "supervisor",
  "cli",
];

/** Returns the imports that point to a later entry, out of `src`, or from or to an unlisted folder. */
export function findWrongImports(sources: Source[]): string[] {
  return sources.flatMap((source) => {
    const from = rankOf(source.path);
    if (from === -1) return [`${source.path} is in no known folder`];
    return importsOf(source).flatMap(({ specifier, line }) => {
      const target = resolve(source.path, specifier);
      if (target === undefined || isAllowed(from, target)) return [];
      return [`${source.path}:${line} imports ${target}`];
    });
  });
}

/**
 * Every import that reaches past the port of a chain family: from the pipeline, from the entry point, from the files beside
 * the families, and from one family into another.
 */
export function findFamilyLeaks(sources: Source[], families: readonly string[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier, line }) => {
      const target = resolve(source.path, specifier);
      const family = target && familyOf(target, families);
      if (!family || mayImportFamily(source.path, family, families)) return [];
      return [`${source.path}:${line} imports ${target}`];
    }),
  );
}

function mayImportFamily(path: string, family: string, families: readonly string[]): boolean {
  if (path === "src/chains/families.ts") return true;
  const own = familyOf(path, families);
  if (own) return own === family;
  return !/^src\/(pipeline\/.*|main\.ts|chains\/(rpc\/|decoding\/)?[^/]*\.ts)$/.test(path);
}

function familyOf(path: string, families: readonly string[]): string | undefined {
  return families.find((family) => path.startsWith(`src/chains/${family}/`));
}

/** The path of an import, or undefined for a package. */
function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return join(dirname(path), specifier);
  return /^(\/|#|file:)/.test(specifier) ? specifier : undefined;
}

function isAllowed(from: number, target: string): boolean {
  if (target === "package.json") return true;
  const to = rankOf(target);
  return to !== -1 && to <= from;
}

function rankOf(path: string): number {
  const [top, name = ""] = path.split("/");
  return top === "src" ? order.indexOf(name.replace(/\.ts$/, "")) : -1;
}
