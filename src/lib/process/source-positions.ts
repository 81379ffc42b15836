import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

type Site = Pick<NodeJS.CallSite, "getFileName" | "getLineNumber" | "getColumnNumber">;

/**
 * Makes the stack traces of a bundle show positions in the sources. Node can do this too, but then it reads the source map of every
 * file that it loads, which takes a tenth of the time of a start. This reads a map when a stack trace needs it.
 */
export function showSourcePositions(): void {
  const describe = makeDescriber();
  Error.prepareStackTrace = (error, sites) => [headline(error), ...sites.map(describe)].join("\n    at ");
}

/** Returns a function that describes a call by its position in the sources. It reads each map once. */
export function makeDescriber(): (site: Site) => string {
  const maps = new Map<string, SourceMap | undefined>();
  return (site) => {
    const text = String(site);
    const url = site.getFileName();
    if (!url?.startsWith("file:")) return text;
    if (!maps.has(url)) maps.set(url, readMap(url));
    const map = maps.get(url);
    const position = map && findOrigin(map, site);
    if (!position) return text;
    const written = `${url}:${site.getLineNumber()}:${site.getColumnNumber()}`;
    return text.replace(written, resolve(fileURLToPath(url), "..", position));
  };
}

function findOrigin(map: SourceMap, site: Site): string | undefined {
  const origin = map.findOrigin(site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0);
  return "fileName" in origin && origin.fileName
    ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
    : undefined;
}

/** A file without a map, such as one of a dependency, has the positions that it shows. */
function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

/** An error may have a getter that throws, and its text must not hide it. */
function headline(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "Error";
  }
}
