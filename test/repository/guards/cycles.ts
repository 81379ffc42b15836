import { dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./sources.ts";

/** Returns the circular imports among the sources, each as the chain of paths that closes the circle. */
export function findCycles(sources: Source[]): string[] {
  const graph = new Map(sources.map((source) => [source.path, importedPaths(source)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" > "));
    if (trail.includes(path) || done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

function importedPaths(source: Source): string[] {
  return importsOf(source)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => join(dirname(source.path), specifier));
}
