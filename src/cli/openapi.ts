import { loadConfig } from "../config.ts";
import { makeDocument } from "../http/openapi/document.ts";

/** Prints the OpenAPI document. Needs no database. */
export async function run(): Promise<void> {
  console.log(JSON.stringify(makeDocument(loadConfig()), null, 2));
}
