import type { App } from "../app.ts";
import { chainOf } from "../chains/index.ts";
import type { Alert, Message, MessageKind } from "../channels/channel.ts";
import { maxSeverity } from "../lib/severity.ts";
import type { AlertRow, MessageParts } from "../store/delivery/delivery-messages.ts";

/** Builds a message from the current state of its alerts; undefined when they were all deleted. */
export function buildMessage(
  app: App,
  about: { id: string; kind: MessageKind; created_at: Date },
  rows: AlertRow[],
): Message | undefined {
  const [first, ...rest] = rows.map((row) => toAlert(app, row));
  const [row] = rows;
  if (!first || !row) return undefined;
  return {
    id: about.id,
    kind: about.kind,
    at: about.created_at,
    org: { id: row.org_id, name: row.org_name },
    severity: maxSeverity(rows.map(({ severity }) => severity)),
    alerts: [first, ...rest],
  };
}

function toAlert(app: App, row: AlertRow): Alert {
  const chain = chainOf(row.chain);
  const { explanation } = row;
  return {
    event_id: row.id,
    severity: row.severity,
    rule: row.rule_id === null ? null : { id: row.rule_id, name: row.rule_name },
    contract: toContract(row, explanation),
    chain: { chain: row.chain, name: chain?.name ?? "Tocsin", chain_id: Number(row.chain_id) },
    title: row.title,
    message: row.message,
    value: row.value,
    threshold: row.threshold,
    clause: isCertain(row, explanation) ? "" : (explanation.clause ?? null),
    operator: row.operator,
    unit: row.unit,
    window_seconds: row.window_seconds,
    target_type: row.target_type,
    decoded: toDecoded(explanation),
    transaction: row.tx_hash === null ? null : { hash: row.tx_hash, url: explanation.links?.tx ?? null },
    block_number: row.block_number === null ? null : Number(row.block_number),
    finality: row.finality,
    fired_at: row.fired_at,
    resolved_at: row.resolved_at,
    acknowledged_by: row.acknowledged_name,
    url: eventUrl(app, row.id),
  };
}

/** That something happened says everything that "1 is at least 1" would, unless further conditions had to hold. */
function isCertain({ is_occurrence, value, threshold }: AlertRow, { conditions }: MessageParts): boolean {
  return is_occurrence && value === 1 && threshold === 1 && !conditions;
}

/** Returns the contract with its current label; null when it was deleted. */
function toContract(row: AlertRow, explanation: MessageParts): Alert["contract"] {
  if (row.contract_id === null || row.contract_address === null) return null;
  const { contract_id: id, contract_label, contract_address: address } = row;
  return { id, label: contract_label ?? address, address, url: explanation.links?.address ?? null };
}

/** Returns the call or event of an explanation, with its arguments as text. */
export function toDecoded({ decoded, names = {} }: MessageParts): Alert["decoded"] {
  if (!decoded) return null;
  const args = Object.entries(decoded.args ?? {}).map(([name, value]) => {
    const text = toText(value);
    const label = Object.hasOwn(names, text) ? names[text] : undefined;
    return { name, value: text, ...(label !== undefined && { label }) };
  });
  return { name: decoded.name, args };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the URL of an event's page; null when the service has no public URL. */
export function eventUrl(app: App, event_id: string): string | null {
  if (!app.config.publicUrl) return null;
  return `${app.config.publicUrl.href.replace(/\/$/, "")}/alerts/events/${event_id}`;
}
