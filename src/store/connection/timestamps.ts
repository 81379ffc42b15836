import pg from "pg";

const { TIMESTAMPTZ } = pg.types.builtins;
const parseAny = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date | number | null;
/** The length of `2026-01-02 03:04:05+00`, the shortest text with a year of four digits. */
const minLength = 22;

/** How the driver reads columns: as by default, but times in UTC several times as fast. They are in every row of large lists. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    oid === TIMESTAMPTZ && format !== "binary"
      ? parseTimestamp
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

export function parseTimestamp(text: string): Date | number | null {
  const isPlain = text.length >= minLength && text[4] === "-" && text[10] === " " && text.endsWith("+00");
  return isPlain ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAny(text);
}
