/** The last row of a page, from which the next one continues: lists are ordered by a time and then by id. */
export type PagePoint = { at: Date; id: string };

/** Returns the opaque text that clients send back for the next page. */
export function toCursor({ at, id }: PagePoint): string {
  return Buffer.from(`${at.getTime().toString(36)}.${id}`).toString("base64url");
}

/** Reads a cursor; undefined if it is not one of ours. */
export function fromCursor(text: string): PagePoint | undefined {
  const [, time = "", id = ""] =
    /^(-?[0-9a-z]{1,11})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
      Buffer.from(text, "base64url").toString("latin1"),
    ) ?? [];
  const at = new Date(Number.parseInt(time, 36));
  return id === "" || Number.isNaN(at.getTime()) ? undefined : { at, id };
}
