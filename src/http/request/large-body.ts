import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Issue } from "../../errors/app-error.ts";
import { type RequestBodyName, requestBodies } from "../../wire/request-bodies.ts";
import type { ReceivedBody } from "./receive-body.ts";
import { validateLargeBodyTask } from "./validate-large-body.ts";

/** A body that was received but not parsed. */
export class UnparsedBody {
  readonly received: ReceivedBody;
  readonly maxValues: number;
  readonly format: "json" | "yaml";
  /** Identifies the body where a repeated request is compared with the first. Known once the body is validated. */
  digest: string | undefined;

  constructor(received: ReceivedBody, maxValues: number, format: "json" | "yaml") {
    this.received = received;
    this.maxValues = maxValues;
    this.format = format;
  }

  toJSON(): string {
    if (this.digest === undefined) throw new Error("A large body is compared before it is validated.");
    return this.digest;
  }
}

const names = new Map<z.ZodType, string>(Object.entries(requestBodies).map(([name, shape]) => [shape, name]));

/** Parses and validates a body in a worker thread. */
export async function validateLargeBody(
  app: App,
  shape: z.ZodType,
  owner: string,
  body: UnparsedBody,
): Promise<{ data: unknown } | { issues: Issue[] }> {
  const { received, maxValues, format } = body;
  // A test checks that the body of every operation has a name.
  const name = names.get(shape) as RequestBodyName;
  const input = { name, bytes: received.bytes, maxValues, format };
  const { digest, checked } = await app.workers.run(validateLargeBodyTask, owner, input);
  // If the task fails instead, for example at its deadline, the thread may still read the bytes.
  received.memory?.release();
  body.digest = digest;
  return checked;
}
