import type { JsonSchema } from "../../openapi/schema-book.ts";
import { type Block, code, paragraph, subheading, table } from "../page.ts";
import type { ApiContent, ApiDocument, ApiOperation } from "./openapi-parts.ts";
import { descriptionOf, schemaBlocks } from "./schema-table.ts";
import { nameOf, typeText } from "./type-text.ts";

/** Describes an operation: how to call it, with what, and what it returns. */
export function operationBlocks(document: ApiDocument, call: string, operation: ApiOperation): Block[] {
  return [
    subheading(operation.summary, operation.operationId),
    code(call),
    paragraph(`${operation.description} ${accessText(operation)}`.trim()),
    ...parameterBlocks(operation),
    ...bodyBlocks(document, operation),
    ...responseBlocks(operation),
  ];
}

function accessText({ security }: ApiOperation): string {
  if (!security) return "";
  if (security.length === 0) return "Needs no authentication.";
  const names = security.flatMap((scheme) => Object.keys(scheme));
  const accepted = [
    ...(names.includes("cookieSession") ? ["a session"] : []),
    ...(names.includes("bearerApiKey") ? ["an API key"] : []),
  ];
  return accepted.length > 0 ? `Needs ${accepted.join(" or ")}.` : "";
}

function parameterBlocks({ parameters = [] }: ApiOperation): Block[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, description = "", schema }) => [
    `\`${name}\``,
    `${typeText(schema)}${required ? "" : " (optional)"}`,
    `In the ${place}. ${descriptionOf({ ...schema, description: description || schema.description })}`,
  ]);
  return [table(["Parameter", "Type", "Description"], rows)];
}

function bodyBlocks({ components }: ApiDocument, { requestBody }: ApiOperation): Block[] {
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type || !body?.schema) return [];
  const { $ref } = body.schema;
  const schema = typeof $ref === "string" ? components.schemas[nameOf($ref)] : body.schema;
  return [
    paragraph(`Body (\`${type}\`): ${typeText(body.schema)}.`),
    ...(schema?.properties ? schemaBlocks(schema) : []),
    ...exampleBlocks(body.example),
  ];
}

function responseBlocks({ responses }: ApiOperation): Block[] {
  const rows = Object.entries(responses).map(([status, { description, content }]) => [
    `\`${status}\``,
    schemaOf(content) ? typeText(schemaOf(content) as JsonSchema) : "",
    description,
  ]);
  const [first] = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return [
    table(["Status", "Response", "Description"], rows),
    ...exampleBlocks(exampleOf(first?.[1].content)),
  ];
}

function exampleBlocks(example: unknown): Block[] {
  if (example === undefined) return [];
  return [code(typeof example === "string" ? example : JSON.stringify(example, null, 2))];
}

function schemaOf(content: ApiContent | undefined): JsonSchema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function exampleOf(content: ApiContent | undefined): unknown {
  return Object.values(content ?? {})[0]?.example;
}
