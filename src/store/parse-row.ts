import { z } from "zod";

type Shapes = Record<string, z.ZodType>;

/** A row whose jsonb columns have the types of their shapes. */
export type Parsed<Row, Columns extends Shapes> = Omit<Row, keyof Columns> & {
  [Column in keyof Columns]: z.output<Columns[Column]>;
};

/** Makes a function that parses the jsonb columns of a table's rows: JSON is `unknown` until it leaves the store through this. */
export function rowParser<Columns extends Shapes>(table: string, columns: Columns) {
  return <Row extends Record<keyof Columns, unknown>>(row: Row): Parsed<Row, Columns> => {
    const parsed = Object.entries(columns).map(([column, shape]) => [
      column,
      parseColumn(shape, row[column], `${table}.${column}`),
    ]);
    return { ...row, ...Object.fromEntries(parsed) };
  };
}

function parseColumn(shape: z.ZodType, value: unknown, column: string): unknown {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new CorruptColumn(column, z.prettifyError(parsed.error));
  return parsed.data;
}

/** A JSON object with any fields, as configs and explanations are. */
export const jsonObject = z.record(z.string(), z.unknown());

/** A stored value does not have the shape that the service writes: a person or a bug changed the database. */
export class CorruptColumn extends Error {
  override name = "CorruptColumn";

  constructor(column: string, problem: string) {
    super(`The column ${column} holds a value of the wrong shape: ${problem}`);
  }
}
