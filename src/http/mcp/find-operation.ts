import type { Operation } from "../operation.ts";
import { operations } from "../routes/index.ts";

/** Finds an operation of the table; an unknown id is a mistake in the tools. */
export function findOperation(id: string): Operation {
  const found = operations.find((one) => one.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}
