import { basename, dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./sources.ts";

/** A folder whose files are its members, but for the ones named here, and the file that lists them. */
export type Catalogue = { folder: string; index: string; others: string[] };

/** Everything wrong with a catalogue: a member its index does not import, an index or a named file that is not there. */
export function findUnlisted({ folder, index, others }: Catalogue, sources: Source[]): string[] {
  const list = sources.find((source) => source.path === index);
  if (!list) return [`${index} does not exist`];
  const listed = new Set(importsOf(list).map(({ specifier }) => join(dirname(index), specifier)));
  const files = sources
    .map((source) => source.path)
    .filter((path) => dirname(path) === folder && path !== index);
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

/** Every index that no catalogue claims: an `index.ts` lists or composes, so each has members to check. */
export function findUnclaimed(catalogues: Catalogue[], sources: Source[]): string[] {
  const claimed = catalogues.map((catalogue) => catalogue.index);
  return sources
    .map((source) => source.path)
    .filter((path) => basename(path) === "index.ts" && !claimed.includes(path))
    .map((path) => `${path} belongs to no catalogue in the table`);
}
