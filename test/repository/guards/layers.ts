import { dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./sources.ts";

/** Imports that the order of folders allows but that would bypass a layer. */
const rules: { from: string; to: string; except?: string }[] = [
  { from: "src/http/", to: "src/store/" },
  { from: "src/domain/", to: "src/pipeline/", except: "src/pipeline/index.ts" },
];

/** Returns every import that bypasses a layer. */
export function findBypasses(sources: Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier, line }) => {
      const target = specifier.startsWith(".") ? join(dirname(source.path), specifier) : specifier;
      const isBypass = rules.some(
        ({ from, to, except }) => source.path.startsWith(from) && target.startsWith(to) && target !== except,
      );
      return isBypass ? [`${source.path}:${line} imports ${target}`] : [];
    }),
  );
}
