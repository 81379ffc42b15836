import { createHash } from "node:crypto";
import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Issue } from "../../errors/app-error.ts";
import { type RequestBodyName, requestBodies } from "../../wire/request-bodies.ts";
import { validateLargeBodyTask } from "./validate-large-body.ts";

/** A body that was received but not parsed. */
export class UnparsedBody {
  readonly bytes: Buffer;
  readonly maxValues: number;
  readonly format: "json" | "yaml";

  constructor(bytes: Buffer, maxValues: number, format: "json" | "yaml") {
    this.bytes = bytes;
    this.maxValues = maxValues;
    this.format = format;
  }

  /** Identifies the body where a repeated request is compared with the first. */
  toJSON(): string {
    return createHash("sha256").update(this.bytes).digest("hex");
  }
}

const names = new Map<z.ZodType, string>(Object.entries(requestBodies).map(([name, shape]) => [shape, name]));

/** Parses and validates a body in a worker thread. */
export async function validateLargeBody(
  app: App,
  shape: z.ZodType,
  owner: string,
  { bytes, maxValues, format }: UnparsedBody,
): Promise<{ data: unknown } | { issues: Issue[] }> {
  // A test checks that the body of every operation has a name.
  const name = names.get(shape) as RequestBodyName;
  return app.workers.run(validateLargeBodyTask, owner, { name, bytes, maxValues, format });
}
