/**
 * Formats ids or numbers as a PostgreSQL array literal. They need no escaping, and the driver's escape check took
 * most of the time of bulk inserts.
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? "null").join(",")}}`;
}
