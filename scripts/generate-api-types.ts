// Generates the dashboard's types from the OpenAPI document; test/repository/api-types.test.ts fails when they are stale.
import { writeFile } from "node:fs/promises";
import { apiTypes, apiTypesFile } from "./api-types.ts";

await writeFile(apiTypesFile, await apiTypes());
