import { type App, newId } from "../../../../app.ts";
import type { Alert } from "../../../../channels/channel.ts";
import { eventUrl, toDecoded } from "../../../../delivery/build-message.ts";
import { toPlain } from "../../../../lib/plain-json.ts";
import { durationText } from "../../../../lib/text.ts";
import type { TimedReading } from "../../../../meters/meter.ts";
import { briefWords, fullWords, noNames, numberText, type Words } from "../../../../meters/words.ts";
import type { WatchedRule } from "../../../../pipeline/index.ts";
import { exampleValue } from "./example-value.ts";
import { fillExample } from "./fill-example.ts";

/** An alert as the rule would raise it: a value that fulfils its condition, with the evidence of a stored reading. */
export function exampleAlert(app: App, rule: WatchedRule, reading: TimedReading | undefined): Alert {
  const { contract, meter, target_type } = rule.target;
  const { chain, address } = contract.subject;
  const { operator, threshold, window_seconds } = rule.condition;
  const value = exampleValue(rule, reading);
  const where = `${contract.label} on ${chain.name}`;
  const text = (words: Words) => `${where}: ${whatHappened(rule, value, reading, words)}`;
  const event_id = newId(app);
  return {
    event_id,
    severity: rule.severity,
    rule: { id: event_id, name: rule.name },
    contract: { id: contract.id, label: contract.label, address, url: null },
    chain: { chain: chain.chain, name: chain.name, chain_id: chain.chain_id },
    title: text(briefWords(noNames)),
    message: rule.message_template
      ? fillExample(rule.message_template, rule, value, reading)
      : `${text(fullWords(noNames))}.`,
    value,
    threshold,
    clause: rule.isEach && threshold === 1 ? "" : null,
    operator,
    unit: meter.unit,
    window_seconds: rule.isEach ? null : window_seconds,
    target_type,
    decoded: toDecoded({ decoded: toPlain(reading?.evidence?.decoded ?? null) as null }),
    transaction: reading?.tx_hash ? { hash: reading.tx_hash, url: null } : null,
    block_number: reading?.height ?? null,
    finality: "pending",
    fired_at: app.clock.now(),
    resolved_at: null,
    acknowledged_by: null,
    url: eventUrl(app, event_id),
  };
}

/** What happened, in the words of the target type. */
function whatHappened(
  { target, condition, isEach }: WatchedRule,
  value: number | null,
  reading: TimedReading | undefined,
  words: Words,
): string {
  const { meter, config, contract } = target;
  const span = durationText(condition.window_seconds);
  if (condition.operator === "absent") return `no ${meter.unit} for ${span}`;
  if (value === null) return meter.title;
  if (condition.operator === "change_pct_gt")
    return `${meter.title} rose by ${numberText(value)} % in ${span}`;
  if (condition.operator === "change_pct_lt")
    return `${meter.title} fell by ${numberText(Math.abs(value))} % in ${span}`;
  const described = meter.describe?.(
    config,
    { ...condition, isEach, reading, value, words },
    contract.subject,
  );
  if (described !== undefined) return described;
  const amount = `${numberText(value)} ${meter.unit}`;
  const isTotal = condition.aggregation === "count" || condition.aggregation === "sum";
  return isTotal && !isEach ? `${amount} in ${span}` : `${meter.title}: ${amount}`;
}
