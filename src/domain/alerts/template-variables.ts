import { emptyAbi } from "../../chains/evm/abi/abi.ts";
import { type CanonicalItem, canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { suggestNames } from "../../lib/expression/nearest-name.ts";
import type { Meter } from "../../meters/meter.ts";
import { messageVariables, variablesIn } from "../../pipeline/index.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import { argumentNames, type NamingContext } from "./expression-names.ts";

/** What the message of a rule may refer to. */
export type TemplateContext = {
  meter: Meter | undefined;
  match: RuleCondition["match"];
  config: Record<string, unknown>;
  naming: NamingContext | undefined;
};

/** Finds variables in a message template that do not exist, and would be shown as they are. */
export function templateIssues(template: string | null | undefined, context: TemplateContext): Issue[] {
  if (!template) return [];
  const names = knownArguments(context);
  const variables = [...messageVariables, ...(names ?? ["*"]).map((name) => `args.${name}`)];
  const isKnown = ({ name, isReadable }: Placeholder) =>
    isReadable && (variables.includes(name) || (!names && /^args\../.test(name)));
  const unknown = placeholdersIn(template).filter((placeholder) => !isKnown(placeholder));
  return [...new Set(unknown.map(({ name }) => name))].map((name) => ({
    loc: ["body", "message_template"],
    msg: `uses {{${name}}}, which does not exist; ${suggestNames(name, variables, "variables")}`,
    type: "value_error",
  }));
}

/** `isReadable` is false for what is in double braces and cannot be a name, such as `args.to[0]`. */
type Placeholder = { name: string; isReadable: boolean };

function placeholdersIn(template: string): Placeholder[] {
  return [...template.matchAll(/\{\{(.*?)\}\}/gs)].map(([whole, inner = ""]) => {
    const [name] = variablesIn(whole);
    return { name: name ?? inner.trim(), isReadable: name !== undefined };
  });
}

/** Returns the names of the arguments that a message can show; undefined when any name may exist. */
export function knownArguments({ meter, match, config, naming }: TemplateContext): string[] | undefined {
  const clauses = [...(match?.events ?? []).map(asEvent), ...(match?.functions ?? []).map(asFunction)];
  const declared = clauses.length > 0 ? undefined : declaredEvents(meter, config);
  const items = clauses.length > 0 ? clauses : signaturesIn(config);
  const lists = declared
    ? // Their logs are decoded with the names of the declaration, not with those of the ABI.
      declared.map((item) => argumentNames(item, naming && { ...naming, abi: emptyAbi }))
    : items.map((item) => (item.ok ? argumentNames(item, naming) : undefined));
  if (lists.length === 0 || lists.includes(undefined)) return undefined;
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/**
 * Returns the argument names that signatures or the ABI have, if some arguments have no name at all: other names never resolve.
 * Undefined when that does not apply.
 */
export function namedArguments({ meter, match, config, naming }: TemplateContext): string[] | undefined {
  const clauses = [...(match?.events ?? []).map(asEvent), ...(match?.functions ?? []).map(asFunction)];
  const items = clauses.length > 0 ? clauses : signaturesIn(config);
  const lists = items.flatMap((item) => (item.ok ? [{ item, names: argumentNames(item, naming) }] : []));
  const isDeclared = clauses.length === 0 && declaredEvents(meter, config) !== undefined;
  if (isDeclared || lists.length === 0 || lists.every(({ names }) => names)) return undefined;
  return lists.flatMap(({ item, names }) => names ?? item.item.inputs.flatMap(({ name }) => name || []));
}

/** A config of a document does not have its defaults yet. */
function declaredEvents(meter: Meter | undefined, config: Record<string, unknown>) {
  const parsed = meter?.declaredEvents && meter.config.safeParse(config);
  return parsed?.success ? meter?.declaredEvents?.(parsed.data) : undefined;
}

type ReadItem = ({ ok: true } & CanonicalItem) | { ok: false };

function asEvent({ signature }: { signature: string }): ReadItem {
  return canonicalEvent(signature);
}

function asFunction({ signature }: { signature: string }): ReadItem {
  return canonicalFunction(signature);
}

function signaturesIn({ event_signature, function_signature }: Record<string, unknown>): ReadItem[] {
  return [
    ...(typeof event_signature === "string" ? [canonicalEvent(event_signature)] : []),
    ...(typeof function_signature === "string" ? [canonicalFunction(function_signature)] : []),
  ];
}
