import type { JSONObject } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Operation } from "../operation.ts";
import { paramsShape } from "../request/validate.ts";
import type { Tool } from "./tools.ts";

type JsonSchema = JSONObject;
/** The JSON Schema of the arguments of a tool, in the form that the protocol requires. */
type InputSchema = {
  type: "object";
  properties: JSONObject;
  required: string[];
  additionalProperties: false;
};

const cache = new WeakMap<Tool, InputSchema>();

/** Returns the schema of the arguments of a tool: path and query parameters and body fields of its last operation, side by side. */
export function inputSchemaOf(tool: Tool): InputSchema {
  const schema = cache.get(tool) ?? makeInputSchema(tool);
  cache.set(tool, schema);
  return schema;
}

function makeInputSchema({ operations, fixed, ownArguments, hasBriefSchema }: Tool): InputSchema {
  const parts = partsOf(operations.at(-1));
  const all = Object.assign({}, ...parts.map((part) => part.properties ?? {}), ownArguments);
  const shown = (schema: JsonSchema) => (hasBriefSchema ? shorten(schema) : schema);
  const properties = Object.fromEntries(
    Object.entries(all as Record<string, JsonSchema>).map(([name, schema]) => [name, shown(schema)]),
  );
  for (const name of Object.keys(fixed)) delete properties[name];
  const required = parts.flatMap((part) => (part.required ?? []) as string[]);
  return {
    type: "object",
    properties,
    required: required.filter((name) => name in properties),
    additionalProperties: false,
  };
}

function partsOf(operation: Operation | undefined): JsonSchema[] {
  if (!operation) return [];
  const shapes = [paramsShape(operation.path), operation.query, operation.body];
  return shapes.filter((shape) => shape !== undefined).map(toPlainSchema);
}

/** Converts a schema without references, which not every client resolves. */
function toPlainSchema(shape: z.ZodType): JsonSchema {
  const { $defs = {}, ...schema } = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
  return inline(schema, $defs as Record<string, JsonSchema>) as JsonSchema;
}

function inline(value: unknown, definitions: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, definitions));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as JsonSchema;
  if (typeof $ref === "string") {
    const { id: _, ...definition } = definitions[$ref.replace("#/$defs/", "")] ?? {};
    return inline({ ...definition, ...rest }, definitions);
  }
  return Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, inline(part, definitions)]));
}

/** Leaves out what the items of lists look like. */
function shorten(schema: JsonSchema): JsonSchema {
  return schema.type === "array" ? { ...schema, items: { type: "object" } } : schema;
}
