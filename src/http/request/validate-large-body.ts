import { createHash } from "node:crypto";
import type { Issue } from "../../errors/app-error.ts";
import { workerTask } from "../../lib/concurrency/worker-pool.ts";
import type { DefenderImport } from "../../wire/imports/defender-import.ts";
import { type RequestBodyName, requestBodies } from "../../wire/request-bodies.ts";
import { checkPart } from "./check-part.ts";
import { readJson } from "./json-body.ts";
import { readYaml } from "./yaml-body.ts";

type Input = { name: RequestBodyName; bytes: Uint8Array; maxValues: number; format: "json" | "yaml" };

type Checked = { data: unknown } | { issues: Issue[] };

/** Parses and validates a body by the name of its schema, because a schema cannot be sent to a thread. */
export function validateLargeBody(input: Input): { digest: string; checked: Checked } {
  return { digest: createHash("sha256").update(input.bytes).digest("hex"), checked: check(input) };
}

function check({ name, bytes, maxValues, format }: Input): Checked {
  const read = format === "yaml" ? readYaml(bytes, maxValues) : readJson(bytes, maxValues);
  if ("issues" in read) return read;
  const checked = checkPart("body", requestBodies[name], read.value);
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
