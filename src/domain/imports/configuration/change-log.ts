import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../../errors/app-error.ts";
import type { Db } from "../../../store/open-store.ts";
import type { ConfigApply, ConfigPlan } from "../../../wire/imports/configuration.ts";
import type { OrgCaller } from "../../caller.ts";
import type { TxEffects } from "../../transaction.ts";
import type { State } from "./org-state.ts";

export type Loc = (string | number)[];
type Change = ConfigPlan["changes"][number];

/** A document being applied: what there was, and what came of it so far. */
export type Work = {
  /** Its verbs take part in the transaction. */
  app: App;
  tx: Db;
  caller: OrgCaller;
  effects: TxEffects;
  input: ConfigApply;
  state: State;
  changes: Change[];
  unchanged: number;
  /** With any of these everything is taken back, so that going on after one only finds more. */
  errors: Issue[];
};

export function note(
  { changes }: Work,
  action: Change["action"],
  kind: Change["kind"],
  ref: string,
  fields: string[] = [],
) {
  changes.push({ action, kind, ref, fields });
}

/** Does something; what is refused becomes an error at its place in the document. */
export async function attempt<Result>(
  { errors }: Work,
  loc: Loc,
  act: () => Promise<Result> | Result,
): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof InvalidRequest)
      errors.push(...error.issues.map((issue) => ({ ...issue, loc: [...loc, ...issue.loc.slice(1)] })));
    else if (error instanceof AppError) errors.push({ loc, msg: error.message, type: error.code });
    else throw error;
    return undefined;
  }
}

export function refuse({ errors }: Work, loc: Loc, msg: string, type = "value_error"): void {
  errors.push({ loc, msg, type });
}

/** Those of some fields that a document gives and that are otherwise. What it leaves out is left alone. */
export function changedOf<Shown extends object, Name extends keyof Shown & string>(
  wanted: { [Key in Name]?: unknown },
  shown: Shown,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], shown[name]));
}

/** Some fields of something. */
export function pick<Thing extends object, Name extends keyof Thing>(
  thing: Thing,
  names: readonly Name[],
): Pick<Thing, Name> {
  return Object.fromEntries(names.map((name) => [name, thing[name]])) as Pick<Thing, Name>;
}
