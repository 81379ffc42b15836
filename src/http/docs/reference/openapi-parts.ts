import type { JsonSchema } from "../../openapi/schema-book.ts";

/** The parts of our own OpenAPI document that the reference shows. */
export type ApiDocument = {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, JsonSchema> };
};

export type ApiOperation = {
  operationId: string;
  tags?: string[];
  summary: string;
  description: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: { required?: boolean; content: ApiContent };
  responses: Record<string, { description: string; content?: ApiContent }>;
};

export type ApiContent = Record<string, { schema?: JsonSchema; example?: unknown }>;

/** The path of the page of a tag. */
export function tagPath(tag: string): string {
  return `/docs/api/${tag.toLowerCase().replace(/\W+/g, "-")}`;
}

/** The path of the page of a schema. */
export function schemaPath(name: string): string {
  return `/docs/api/schemas/${name}`;
}
