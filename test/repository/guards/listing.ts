import { basename, dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./sources.ts";

/**
 * A folder, with its subfolders, whose files are the members that `index` lists. Where a folder also holds helper files,
 * `definedBy` is the call that only members make; otherwise `others` names the files that are not members.
 */
export type Catalogue = { folder: string; index: string; others: string[]; definedBy?: string };

/** Returns the problems of a catalogue: members that the index does not import, and missing files. */
export function findUnlisted(
  { folder, index, others, definedBy = "" }: Catalogue,
  sources: Source[],
): string[] {
  const list = sources.find((source) => source.path === index);
  if (!list) return [`${index} does not exist`];
  const listed = new Set(importsOf(list).map(({ specifier }) => join(dirname(index), specifier)));
  const files = sources
    .filter(({ path, text }) => path.startsWith(`${folder}/`) && path !== index && text.includes(definedBy))
    .map(({ path }) => path);
  const members = files.filter((path) => !others.includes(basename(path)));
  if (members.length === 0) return [`${folder} has no members`];
  return [
    ...members.filter((path) => !listed.has(path)).map((path) => `${path} is not listed in ${index}`),
    ...others
      .map((name) => join(folder, name))
      .filter((path) => !files.includes(path))
      .map((path) => `${path} is excepted but does not exist`),
  ];
}

/** Returns each `index.ts` without a catalogue. */
export function findUnclaimed(catalogues: Catalogue[], sources: Source[]): string[] {
  const claimed = catalogues.map((catalogue) => catalogue.index);
  return sources
    .map((source) => source.path)
    .filter((path) => basename(path) === "index.ts" && !claimed.includes(path))
    .map((path) => `${path} belongs to no catalogue in the table`);
}
