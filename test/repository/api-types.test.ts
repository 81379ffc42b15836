import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { apiTypes, apiTypesFile } from "../../scripts/api-types.ts";

test("the dashboard's types match the OpenAPI document (npm run generate:api-types)", async () => {
  expect(await readFile(apiTypesFile, "utf8")).toBe(await apiTypes());
});
