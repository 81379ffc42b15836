/** A decoded value. Integers of every size are bigint; a tuple has its fields by name and by position (`$0`). */
export type DecodedValue = bigint | string | boolean | DecodedValue[] | { [name: string]: DecodedValue };

/** Data that does not match its declared types. */
export class MalformedData extends Error {
  override name = "MalformedData";
}
