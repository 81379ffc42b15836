import type { App } from "../../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../../errors/app-error.ts";
import { throwIfAbandoned } from "../../../lib/concurrency/abandonment.ts";
import type { Db } from "../../../store/open-store.ts";
import type { ConfigApply, ConfigPlan } from "../../../wire/imports/configuration.ts";
import type { OrgCaller } from "../../caller.ts";
import type { TxEffects } from "../../transaction.ts";
import type { Effort } from "./effort.ts";
import type { State } from "./org-state.ts";

export type Loc = (string | number)[];
type PlannedChange = ConfigPlan["changes"][number];

/** The contract that a change concerns, and where the document mentions it. */
export type OnContract = { contract_id: string; loc: Loc };

/** A change. The type forces every change of a contract, target or rule to name its contract, so that it is authorised. */
type Change = Pick<PlannedChange, "action" | "ref"> & { fields?: string[]; values?: Values } & (
    | { kind: "channel" | "policy" }
    | { kind: "contract" | "target" | "rule"; on: OnContract }
  );

/** The item before and after an update, by the names of its fields. A secret is in neither. */
type Values = { before: object; after: object };

/** The state of applying a document: the org before, and the changes and errors so far. */
export type Work = {
  app: App;
  tx: Db;
  caller: OrgCaller;
  effects: TxEffects;
  input: ConfigApply;
  state: State;
  /** The references of the channels in `state`, by id. */
  channelRefs: Map<string, string>;
  /** The contracts that the caller may change, including those that this document creates. */
  editable: Set<string>;
  /** The contracts whose changes were rejected. */
  denied: Set<string>;
  effort: Effort;
  changes: PlannedChange[];
  unchanged: number;
  /** What is applied although it cannot work. */
  warnings: Issue[];
  /** Any error rolls everything back; work continues only to find all errors. */
  errors: Issue[];
};

/** Records a change and authorises it: a change that the caller may not make is an error, which rolls everything back. */
export function recordChange(work: Work, change: Change): void {
  throwIfAbandoned();
  const { action, kind, ref, fields = [], values } = change;
  work.changes.push({ action, kind, ref, fields, values: values ? toValues(fields, values) : [] });
  if ("on" in change) requireEditable(work, change.on);
}

function toValues(fields: string[], { before, after }: Values): PlannedChange["values"] {
  const valueIn = (item: object, field: string) => (item as Record<string, unknown>)[field] ?? null;
  return fields
    .filter((field) => field in before || field in after)
    .map((field) => ({ field, before: valueIn(before, field), after: valueIn(after, field) }));
}

/** Adds one error per contract that the caller may not change. */
function requireEditable(work: Work, { contract_id, loc }: OnContract): void {
  if (work.editable.has(contract_id) || work.denied.has(contract_id)) return;
  work.denied.add(contract_id);
  addError(work, loc, "is a contract to which you have read-only access", deniedType);
}

/** The type of an error for a change that the caller may not make. */
export const deniedType = "role_required";

/** Runs an action and converts a rejection into an error at its location in the document. */
export async function attempt<Result>(
  { errors }: Work,
  loc: Loc,
  action: () => Promise<Result> | Result,
): Promise<Result | undefined> {
  throwIfAbandoned();
  try {
    return await action();
  } catch (error) {
    if (error instanceof InvalidRequest)
      errors.push(...error.issues.map((issue) => ({ ...issue, loc: [...loc, ...issue.loc.slice(1)] })));
    else if (error instanceof AppError) errors.push({ loc, msg: error.message, type: error.code });
    else throw error;
    return undefined;
  }
}

export function addError({ errors }: Work, loc: Loc, msg: string, type = "value_error"): void {
  errors.push({ loc, msg, type });
}

/** Returns some fields of an object. */
export function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;
}
