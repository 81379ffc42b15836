import { type App, newId } from "../../../../app.ts";
import type { Alert } from "../../../../channels/channel.ts";
import { eventUrl, toDecoded } from "../../../../delivery/build-message.ts";
import { toPlain } from "../../../../lib/plain-json.ts";
import { type TimedReading, unitOn } from "../../../../meters/meter.ts";
import { describe, exampleEvaluation, findNames, type WatchedRule } from "../../../../pipeline/index.ts";
import type { MessageParts } from "../../../../store/delivery/delivery-messages.ts";
import { exampleValue } from "./example-value.ts";

/** An alert as the rule would raise it: a value that fulfils its condition, with the evidence of a stored reading. */
export async function exampleAlert(
  app: App,
  rule: WatchedRule,
  reading: TimedReading | undefined,
): Promise<Alert> {
  const { contract, meter, config, target_type } = rule.target;
  const { chain, address } = contract.subject;
  const { operator, threshold, window_seconds } = rule.condition;
  const value = exampleValue(rule, reading);
  const others = rule.others.map(({ part, target }) =>
    exampleValue({ condition: part.condition, isEach: false, target }, undefined),
  );
  const evaluation = exampleEvaluation(rule, { value, others, reading });
  const { title, message } = describe(evaluation, await findNames(app.db, evaluation));
  const event_id = newId(app);
  return {
    event_id,
    severity: rule.severity,
    rule: { id: event_id, name: rule.name },
    contract: { id: contract.id, label: contract.label, address, url: null },
    chain: { chain: chain.chain, name: chain.name, chain_id: chain.chain_id },
    title,
    message,
    value,
    threshold,
    clause: hasClause(rule) ? evaluation.windowResult.clause : "",
    operator,
    unit: unitOn(meter, config, chain),
    window_seconds: rule.isEach ? null : window_seconds,
    target_type,
    // Plain values keep the name and the arguments of the call or event.
    decoded: toDecoded({ decoded: toPlain(reading?.evidence?.decoded ?? null) as MessageParts["decoded"] }),
    transaction: reading?.tx_hash ? { hash: reading.tx_hash, url: null } : null,
    block_number: reading?.height ?? null,
    finality: "pending",
    fired_at: app.clock.now(),
    resolved_at: null,
    acknowledged_by: null,
    url: eventUrl(app, event_id),
  };
}

/** A rule that counts every occurrence compares nothing that is worth showing. */
function hasClause({ isEach, condition, others }: WatchedRule): boolean {
  return !isEach || condition.threshold !== 1 || others.length > 0;
}
