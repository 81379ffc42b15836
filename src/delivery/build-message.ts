import type { App } from "../app.ts";
import { chainOf } from "../chains/index.ts";
import type { Alert, Message, MessageKind } from "../channels/channel.ts";
import { maxSeverity } from "../lib/severity.ts";
import type { AlertRow } from "../store/delivery/delivery-messages.ts";

/** Puts a message together from its alarms as they stand now; undefined when nothing is left of them. */
export function makeMessage(
  app: App,
  about: { id: string; kind: MessageKind; created_at: Date },
  rows: AlertRow[],
): Message | undefined {
  const [first, ...rest] = rows.map((row) => toAlarm(app, row));
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

function toAlarm(app: App, row: AlertRow): Alert {
  const chain = chainOf(row.chain);
  const why = row.explanation as Explanation;
  return {
    event_id: row.id,
    severity: row.severity,
    rule: row.rule_id === null ? null : { id: row.rule_id, name: row.rule_name },
    contract: toContract(row, why),
    chain: { chain: row.chain, name: chain?.name ?? "Tocsin", chain_id: Number(row.chain_id) },
    title: row.title,
    message: row.message,
    value: row.value,
    threshold: row.threshold,
    clause: why.clause ?? null,
    operator: row.operator,
    unit: row.unit,
    window_seconds: row.window_seconds,
    target_type: row.target_type,
    decoded: toDecoded(why.decoded),
    transaction: row.tx_hash === null ? null : { hash: row.tx_hash, url: why.links?.tx ?? null },
    block_number: row.block_number === null ? null : Number(row.block_number),
    finality: row.finality,
    fired_at: row.fired_at,
    resolved_at: row.resolved_at,
    acknowledged_by: row.acknowledged_name,
    url: eventUrl(app, row.id),
  };
}

/** What the engine wrote about an event; what the service noticed itself has less of it. */
type Explanation = {
  clause?: string;
  decoded?: { name?: unknown; args?: Record<string, unknown> } | null;
  links?: { address?: string | null; tx?: string | null };
};

/** The contract as it is called now; nothing of one that is gone. */
function toContract(row: AlertRow, why: Explanation): Alert["contract"] {
  if (row.contract_id === null || row.contract_address === null) return null;
  const { contract_id: id, contract_label, contract_address: address } = row;
  return { id, label: contract_label ?? address, address, url: why.links?.address ?? null };
}

function toDecoded(decoded: Explanation["decoded"]): Alert["decoded"] {
  if (typeof decoded?.name !== "string") return null;
  const args = Object.entries(decoded.args ?? {});
  return { name: decoded.name, args: args.map(([name, value]) => ({ name, value: toText(value) })) };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Without an address that people reach the service under, a link would lead nowhere. */
export function eventUrl(app: App, event_id: string): string | null {
  if (!app.config.publicUrl) return null;
  return `${app.config.publicUrl.href.replace(/\/$/, "")}/alerts/events/${event_id}`;
}
