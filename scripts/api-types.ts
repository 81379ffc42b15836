import { fileURLToPath } from "node:url";
import openapiTypes, { astToString } from "openapi-typescript";
import { makeDocument } from "../src/http/openapi/document.ts";

export const apiTypesFile = fileURLToPath(new URL("../web/src/lib/schema.d.ts", import.meta.url));

const header = "// Generated from the OpenAPI document by `npm run generate:api-types`. Do not edit.\n\n";

/** Returns the TypeScript types of the public operations. */
export async function apiTypes(): Promise<string> {
  const document = withoutProse(JSON.parse(JSON.stringify(makeDocument({ publicUrl: undefined }))));
  return header + astToString(await openapiTypes(document as never, { defaultNonNullable: false }));
}

/** What a type does not express, and what the client handles in one place; with it the file would be ten times as long. */
const prose = new Set(["description", "summary", "example", "examples", "headers", "tags", "security"]);

/** Removes texts, headers and error replies. Under `properties` and `schemas` every key is a name, not a keyword. */
function withoutProse(node: unknown, parent = ""): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutProse(item));
  if (typeof node !== "object" || node === null) return node;
  const hasNames = parent === "properties" || parent === "schemas";
  const kept = Object.entries(node).filter(
    ([key]) => hasNames || !(prose.has(key) || (parent === "responses" && !key.startsWith("2"))),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutProse(value, hasNames ? "" : key)]));
}
