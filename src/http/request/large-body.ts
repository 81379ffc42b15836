import { createHash } from "node:crypto";
import type { App } from "../../app.ts";
import type { Issue } from "../../errors/app-error.ts";
import type { Operation } from "../operation.ts";
import { validateLargeBodyTask } from "./validate-large-body.ts";

/** A body that was received and measured but not parsed. */
export class UnparsedBody {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Identifies the body where a repeated request is compared with the first. */
  toJSON(): string {
    return createHash("sha256").update(this.bytes).digest("hex");
  }
}

/** Operations whose body may have many nested values, with the name of its schema. */
const schemaNames: Record<string, LargeBodyName> = {
  applyConfig: "ConfigApply",
  bulkImportContracts: "BulkImport",
  importFromDefender: "DefenderImport",
};

type LargeBodyName = Parameters<(typeof validateLargeBodyTask)["handler"]>[0]["name"];

export function isLargeBodyOperation(operation: string | undefined): boolean {
  return operation !== undefined && Object.hasOwn(schemaNames, operation);
}

/** Parses and validates a body in a worker thread. */
export async function validateLargeBody(
  app: App,
  { id }: Operation,
  owner: string,
  { bytes }: UnparsedBody,
): Promise<{ data: unknown } | { issues: Issue[] }> {
  const name = schemaNames[id];
  if (!name) throw new Error(`The operation ${id} accepts no large body.`);
  return app.workers.run(validateLargeBodyTask, owner, { name, bytes });
}
