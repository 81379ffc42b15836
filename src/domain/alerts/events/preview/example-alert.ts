import { type App, newId } from "../../../../app.ts";
import type { Alert } from "../../../../channels/channel.ts";
import { eventUrl, toDecoded } from "../../../../delivery/build-message.ts";
import { toPlain } from "../../../../lib/plain-json.ts";
import { type TimedReading, unitOn } from "../../../../meters/meter.ts";
import { describeExample, type WatchedRule } from "../../../../pipeline/index.ts";
import { exampleValue } from "./example-value.ts";

/** An alert as the rule would raise it: a value that fulfils its condition, with the evidence of a stored reading. */
export function exampleAlert(app: App, rule: WatchedRule, reading: TimedReading | undefined): Alert {
  const { contract, meter, config, target_type } = rule.target;
  const { chain, address } = contract.subject;
  const { operator, threshold, window_seconds } = rule.condition;
  const value = exampleValue(rule, reading);
  const { title, message, clause } = describeExample(rule, value, reading);
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
    clause: rule.isEach && threshold === 1 ? "" : clause,
    operator,
    unit: unitOn(meter, config, chain),
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
