import type { Operation } from "../operation.ts";
import { operations } from "../routes/index.ts";

/** Finds an operation of the table; an unknown id is a mistake in the tools. */
export function findOperation(id: string): Operation {
  const operation = operations.find((operation) => operation.id === id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  return operation;
}
