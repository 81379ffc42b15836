import type { JsonSchema } from "../../openapi/schema-book.ts";
import { schemaPath } from "./openapi-parts.ts";

const formats: Record<string, string> = {
  uuid: "UUID",
  "date-time": "time (ISO 8601)",
  email: "email address",
  uri: "URL",
};

/** The type of a value in words, with links to named schemas. */
export function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, type, items, additionalProperties, format } = schema;
  if (typeof $ref === "string") return linkTo(nameOf($ref));
  if (schema.const !== undefined) return valueText(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(valueText).join(", ");
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  if (type === "array") return `list of ${items ? typeText(items as JsonSchema) : "any values"}`;
  if (type === "object" && !schema.properties && isSchema(additionalProperties))
    return `map of ${typeText(additionalProperties)}`;
  if (typeof format === "string" && type === "string") return formats[format] ?? format;
  return typeof type === "string" ? type : Array.isArray(type) ? type.join(" or ") : "any value";
}

/** The limits of a value and its default, as sentences. */
export function limitsText(schema: JsonSchema): string {
  const texts = [
    rangeText(schema.minimum ?? exclusive(schema.exclusiveMinimum), schema.maximum, ""),
    rangeText(schema.minLength, schema.maxLength, " characters"),
    rangeText(schema.minItems, schema.maxItems, " items"),
    typeof schema.pattern === "string" ? `Pattern: \`${schema.pattern}\`.` : "",
    schema.default === undefined ? "" : `Default: ${valueText(schema.default)}.`,
  ];
  return texts.filter((text) => text !== "").join(" ");
}

export function nameOf($ref: string): string {
  return $ref.replace("#/components/schemas/", "");
}

export function linkTo(name: string): string {
  return `[\`${name}\`](${schemaPath(name)})`;
}

function rangeText(min: unknown, max: unknown, unit: string): string {
  const [low, high] = [limitOf(min), limitOf(max)];
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}.`;
  if (high !== undefined) return `At most ${high}${unit}.`;
  return low === undefined ? "" : `At least ${low}${unit}.`;
}

/** The range of all safe integers is not a limit of the field. */
function limitOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? String(value) : undefined;
}

function exclusive(value: unknown): string | undefined {
  return typeof value === "number" ? `more than ${value}` : undefined;
}

function valueText(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
