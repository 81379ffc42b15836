import { type CanonicalItem, canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { suggestNames } from "../../lib/expression/nearest-name.ts";
import { messageVariables, variablesIn } from "../../pipeline/index.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import { argumentNames, type NamingContext } from "./expression-names.ts";

/** What the message of a rule may refer to. */
export type TemplateContext = {
  match: RuleCondition["match"];
  config: Record<string, unknown>;
  naming: NamingContext | undefined;
};

/** Finds variables in a message template that do not exist, and would be shown as they are. */
export function templateIssues(template: string | null | undefined, context: TemplateContext): Issue[] {
  if (!template) return [];
  const names = knownArguments(context);
  const known = [...messageVariables, ...(names ?? ["*"]).map((name) => `args.${name}`)];
  const isKnown = (name: string) =>
    name.startsWith("args.") && !names ? name.length > "args.".length : known.includes(name);
  return [...new Set(variablesIn(template))]
    .filter((name) => !isKnown(name))
    .map((name) => ({
      loc: ["body", "message_template"],
      msg: `uses {{${name}}}, which does not exist; ${suggestNames(name, known, "variables")}`,
      type: "value_error",
    }));
}

/** Returns the names of the arguments that a message can show; undefined when any name may exist. */
export function knownArguments({ match, config, naming }: TemplateContext): string[] | undefined {
  const clauses = [...(match?.events ?? []).map(asEvent), ...(match?.functions ?? []).map(asFunction)];
  const items = clauses.length > 0 ? clauses : signaturesIn(config);
  const lists = items.map((item) => (item.ok ? argumentNames(item, naming) : undefined));
  if (lists.length === 0 || lists.includes(undefined)) return undefined;
  return [...new Set(lists.flatMap((list) => list ?? []))];
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
