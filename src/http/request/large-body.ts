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
  /** Identifies the body where a repeated request is compared with the first. Known once the body is validated. */
  digest: string | undefined;

  constructor(bytes: Buffer, maxValues: number, format: "json" | "yaml") {
    this.bytes = bytes;
    this.maxValues = maxValues;
    this.format = format;
  }

  toJSON(): string {
    if (this.digest === undefined) throw new Error("A large body is compared before it is validated.");
    return this.digest;
  }
}

const names = new Map<z.ZodType, string>(Object.entries(requestBodies).map(([name, shape]) => [shape, name]));

/** Parses and validates a body in a worker thread, which takes its bytes over. */
export async function validateLargeBody(
  app: App,
  shape: z.ZodType,
  owner: string,
  body: UnparsedBody,
): Promise<{ data: unknown } | { issues: Issue[] }> {
  const { bytes, maxValues, format } = body;
  // A test checks that the body of every operation has a name.
  const name = names.get(shape) as RequestBodyName;
  const input = { name, bytes, maxValues, format };
  const { digest, checked } = await app.workers.run(validateLargeBodyTask, owner, input, transferable(bytes));
  body.digest = digest;
  return checked;
}

/** A copy of each body would make the garbage collector stop the event loop more often. A small buffer shares its memory with others. */
function transferable({ buffer, byteLength }: Buffer): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
