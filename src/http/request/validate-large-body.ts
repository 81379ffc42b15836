import type { z } from "zod";
import type { Issue } from "../../errors/app-error.ts";
import { workerTask } from "../../lib/concurrency/worker-pool.ts";
import { BulkImport } from "../../wire/imports/bulk-import.ts";
import { ConfigApply } from "../../wire/imports/configuration.ts";
import { DefenderImport } from "../../wire/imports/defender-import.ts";
import { checkPart } from "./check-part.ts";
import { parseJson, readUtf8 } from "./json-body.ts";

const schemas = { BulkImport, ConfigApply, DefenderImport };

type Input = { name: keyof typeof schemas; bytes: Uint8Array };

/** Parses and validates a body by the name of its schema, because a schema cannot be sent to a thread. */
export function validateLargeBody({ name, bytes }: Input): { data: unknown } | { issues: Issue[] } {
  const read = parseJson(readUtf8(bytes));
  if ("problem" in read) return { issues: [{ loc: ["body"], msg: read.problem, type: "json_invalid" }] };
  const schema: z.ZodType = schemas[name];
  const checked = checkPart("body", schema, read.value);
  return name === "DefenderImport" && "data" in checked ? { data: withTextExport(checked.data) } : checked;
}

/** An export is read from text, in a thread again. As an object, copying it back would block the event loop. */
function withTextExport(data: unknown): DefenderImport {
  const input = data as DefenderImport;
  const isText = typeof input.export === "string";
  return isText ? input : { ...input, export: JSON.stringify(input.export ?? null) };
}

export const validateLargeBodyTask = workerTask(
  "src/http/request/validate-large-body.ts",
  validateLargeBody,
  15_000,
);
