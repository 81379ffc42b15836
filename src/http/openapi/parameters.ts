import type { z } from "zod";
import { type Operation, paramNames } from "../operation.ts";
import { paramsShape } from "../request/validate.ts";
import type { JsonSchema, SchemaBook } from "./schema-book.ts";

type Parameter = Record<string, unknown>;

/** Path and query parameters and, where a POST can be repeated safely, the Idempotency-Key header. */
export function parametersOf(book: SchemaBook, operation: Operation): Parameter[] {
  return [
    ...pathParameters(book, operation.path),
    ...queryParameters(book, operation.query),
    ...(takesIdempotencyKey(operation) ? [idempotencyKey] : []),
  ];
}

/** Only callers who are somebody have a place where the answer can be kept. */
export function takesIdempotencyKey({ method, policy }: Operation): boolean {
  return method === "POST" && policy.who !== "anyone" && policy.who !== "link";
}

function pathParameters(book: SchemaBook, path: string): Parameter[] {
  const shape = paramsShape(path).shape;
  return paramNames(path).map((name) => {
    const schema = book.add(shape[name] as z.ZodType, "input");
    const description =
      name === "token" ? "The token from the mailed link." : `The id: ${name.replaceAll("_", " ")}.`;
    return { name, in: "path", required: true, description, schema, example: book.exampleOf(schema) };
  });
}

function queryParameters(book: SchemaBook, query: z.ZodObject | undefined): Parameter[] {
  if (!query) return [];
  const { properties, required } = book.add(query, "input");
  const names = (required ?? []) as string[];
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => {
    const { description, ...rest } = schema;
    return {
      name,
      in: "query",
      required: names.includes(name),
      description: description ?? name,
      schema: rest,
    };
  });
}

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A name of your own for this request, kept for a day: a repeat with it changes nothing and gets the first answer, " +
    "marked `Idempotency-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "6f1c2d0e-create-org",
};
