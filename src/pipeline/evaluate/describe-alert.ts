import type { Chain } from "../../chains/chain.ts";
import { limitJson } from "../../lib/json/limit-json.ts";
import { toPlain } from "../../lib/plain-json.ts";
import type { TimedReading } from "../../meters/meter.ts";
import { type Names, noNames } from "../../meters/words.ts";
import { groupText } from "../measure/group-of.ts";
import { describedReading } from "./described-reading.ts";
import type { Evaluation } from "./evaluation.ts";
import { eventText } from "./event-text.ts";
import { fillTemplate } from "./message-variables.ts";

/** The number of samples in an explanation; the rest are only counted. */
const shownSamples = 20;
/** The maximum size of an explanation as JSON; the evidence in it is limited before. */
const maxExplanationBytes = 64 * 1024;

/** The texts of an event: a title and a sentence for people, and a machine-readable explanation. */
export type Description = { title: string; message: string; explanation: Record<string, unknown> };

/** Describes an event. `names` are the labels of contracts that everyone who sees the event may see. */
export function describe(evaluation: Evaluation, names: Names = noNames): Description {
  const { rule, windowResult, verdict, cause } = evaluation;
  const { contract } = rule.target;
  const { title, message: text } = eventText(evaluation, names);
  const message = rule.message_template ? fillTemplate(rule.message_template, evaluation) : text;
  // A rule that waits fires by time; what it waited on is the newest reading.
  const shown = cause ?? (rule.for_seconds > 0 ? windowResult.window.at(-1) : undefined);
  const { previous } = describedReading(evaluation);
  const explanation = {
    reason: verdict.reason,
    clause: windowResult.clause,
    ...(rule.group_by && { group: { by: groupText(rule.group_by), value: rule.group ?? null } }),
    ...(windowResult.conditions && { conditions: windowResult.conditions }),
    ...(previous && { previous: toSample(previous) }),
    samples: windowResult.window.slice(-shownSamples).map(toSample),
    samples_in_window: windowResult.window.length,
    decoded: toPlain(shown?.evidence?.decoded ?? null),
    evidence: toPlain(shown?.evidence ?? null),
    ...(names.size > 0 && { names: Object.fromEntries(names) }),
    baseline: baselineOf(evaluation),
    links: linksOf(contract.subject.chain, contract.subject.address, shown),
  };
  return { title, message, explanation: limitJson(explanation, maxExplanationBytes) };
}

function toSample({ time, value, tx_hash }: TimedReading): Pick<TimedReading, "time" | "value" | "tx_hash"> {
  return { time, value, tx_hash };
}

/** The baseline that the rule or its meter compared with; null when there was none. */
function baselineOf({ rule, windowResult }: Evaluation): unknown {
  const { meter, config } = rule.target;
  const meterBaseline = rule.isScore ? meter.baseline?.(config, windowResult.window) : undefined;
  return windowResult.baseline ?? meterBaseline ?? null;
}

function linksOf(
  chain: Chain,
  address: string,
  cause: TimedReading | undefined,
): Record<string, string | null> {
  return {
    address: explorerLink(chain, `address/${address}`),
    tx: cause?.tx_hash ? explorerLink(chain, `tx/${cause.tx_hash}`) : null,
  };
}

/** Some explorers select the network with a query parameter, so the path is set instead of appended. */
function explorerLink(chain: Chain, path: string): string | null {
  if (!chain.explorer_url) return null;
  const url = new URL(chain.explorer_url);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${path}`;
  return url.href;
}
