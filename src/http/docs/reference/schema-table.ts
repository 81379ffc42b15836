import type { JsonSchema } from "../../openapi/schema-book.ts";
import { type Block, paragraph, table } from "../page.ts";
import { limitsText, typeText } from "./type-text.ts";

/** Describes a schema: a table of its fields, or its type. */
export function schemaBlocks(schema: JsonSchema): Block[] {
  const rows = fieldRows(schema, "");
  if (rows.length > 0) return [table(["Field", "Type", "Description"], rows)];
  const limits = limitsText(schema);
  return [paragraph(`Type: ${typeText(schema)}.${limits && ` ${limits}`}`)];
}

/** The fields of an object, those of objects within it after a dot. */
function fieldRows({ properties, required }: JsonSchema, prefix: string): string[][] {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  const names = Array.isArray(required) ? required : [];
  return fields.flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = innerObject(field);
    return [
      [`\`${path}\``, `${typeText(field)}${names.includes(name) ? "" : " (optional)"}`, descriptionOf(field)],
      ...(inner ? fieldRows(inner.schema, `${path}${inner.suffix}.`) : []),
    ];
  });
}

function innerObject(field: JsonSchema): { schema: JsonSchema; suffix: string } | undefined {
  if (field.properties) return { schema: field, suffix: "" };
  const items = field.items as JsonSchema | undefined;
  return items?.properties ? { schema: items, suffix: "[]" } : undefined;
}

export function descriptionOf(schema: JsonSchema): string {
  const description = typeof schema.description === "string" ? withFullStop(schema.description) : "";
  return [description, limitsText(schema)].filter((text) => text !== "").join(" ");
}

function withFullStop(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}
