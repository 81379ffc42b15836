import type { z } from "zod";
import { type Operation, paramNames } from "../operation.ts";
import { paramsShape } from "../request/validate.ts";
import type { JsonSchema, SchemaBook } from "./schema-book.ts";

type Parameter = Record<string, unknown>;

/** Returns path and query parameters and, for an authenticated POST, the Idempotency-Key header. */
export function parametersOf(book: SchemaBook, operation: Operation): Parameter[] {
  return [
    ...pathParameters(book, operation.path),
    ...queryParameters(book, operation.query),
    ...(acceptsIdempotencyKey(operation) ? [idempotencyKey] : []),
  ];
}

/** True for an authenticated POST: stored replies belong to a caller. */
export function acceptsIdempotencyKey({ method, policy }: Operation): boolean {
  return method === "POST" && policy.who !== "anyone" && policy.who !== "link";
}

function pathParameters(book: SchemaBook, path: string): Parameter[] {
  const shape = paramsShape(path).shape;
  return paramNames(path).map((name) => {
    const schema = book.add(shape[name] as z.ZodType, "input");
    const description = name === "token" ? "Token from the mailed link." : describeId(name);
    return { name, in: "path", required: true, description, schema, example: book.exampleOf(schema) };
  });
}

/** `org_id` becomes "Id of the org.", `id` "Id of the resource.", and `chain` "Key of the chain.". */
function describeId(name: string): string {
  if (name === "id") return "Id of the resource.";
  const subject = name.replace(/_id$/, "").replaceAll("_", " ");
  return name.endsWith("_id") ? `Id of the ${subject}.` : `Key of the ${subject}.`;
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
    "Client-chosen key of this request, stored for 24 hours. A repeated request with the same key has no effect and gets " +
    "the first reply, marked `Idempotency-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "6f1c2d0e-create-org",
};
