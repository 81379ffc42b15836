import { isDeepStrictEqual } from "node:util";

/** Returns the names of given fields that differ. Omitted fields are not compared. */
export function changedOf<Shown extends object, Name extends keyof Shown & string>(
  wanted: { [Key in Name]?: unknown },
  current: Shown,
  names: readonly Name[],
): Name[] {
  return names.filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], current[name]),
  );
}
