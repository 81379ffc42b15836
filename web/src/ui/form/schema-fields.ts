/** The part of JSON Schema that the service uses for the config of channels and targets. */
export type JsonSchema = {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: string[];
  const?: unknown;
  format?: string;
  writeOnly?: boolean;
  default?: unknown;
  examples?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
};

export type FieldKind = "choice" | "switch" | "number" | "list" | "text" | "json";

/** How a field is edited. Lists of texts are one per line; what has no simple input is JSON. */
export function kindOf(schema: JsonSchema): FieldKind {
  if (schema.enum) return "choice";
  if (schema.anyOf)
    return schema.anyOf.every((jsonSchema) =>
      ["string", "integer", "number"].includes(String(jsonSchema.type)),
    )
      ? "text"
      : "json";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type === "array") return schema.items?.type === "string" ? "list" : "json";
  return schema.type === "object" ? "json" : "text";
}

/** Reads the values of a form. Empty optional inputs are left out, so that stored secrets stay and defaults apply. */
export function readValues(form: FormData, schema: JsonSchema, at: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = readValue(form, `${at}.${name}`, field);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readValue(form: FormData, name: string, schema: JsonSchema): unknown {
  const kind = kindOf(schema);
  if (kind === "switch") return form.has(name);
  const text = String(form.get(name) ?? "").trim();
  if (text === "") return undefined;
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === "list")
    return text
      .split(/[\n,]+/)
      .map((line) => line.trim())
      .filter(Boolean);
  return kind === "json" ? parseJson(text) : text;
}

/** Text that is not JSON is sent as it is: the service says what is wrong with it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The label of a field: `webhook_url` becomes "Webhook URL". */
export function labelOf(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replace(/\b(url|api|id|sms|abi|tvl)\b/gi, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
