import { importsOf, type Source } from "./sources.ts";

/** The folders of the dashboard in import order: an import may point only to the same or an earlier entry. */
const order = ["lib", "ui", "queries", "features", "routes", "app"];

/** Returns the imports of the dashboard that point the wrong way, between features, or not through `@/`. */
export function findWrongWebImports(sources: Source[]): string[] {
  return sources.flatMap((source) => {
    const from = placeOf(source.path.replace("web/src/", ""));
    return importsOf(source).flatMap(({ specifier, line }) => {
      if (specifier.startsWith("./")) return [];
      if (specifier.startsWith("../")) return [`${source.path}:${line} imports ${specifier} without @/`];
      if (!specifier.startsWith("@/")) return [];
      const to = placeOf(specifier.slice(2));
      const isOtherFeature = from.top === "features" && to.top === "features" && from.name !== to.name;
      const isAllowed = to.rank !== -1 && to.rank <= from.rank && !isOtherFeature;
      return isAllowed ? [] : [`${source.path}:${line} imports ${specifier}`];
    });
  });
}

function placeOf(path: string): { top: string; name: string; rank: number } {
  const [top = "", name = ""] = path.split("/");
  return { top, name, rank: order.indexOf(top) };
}
