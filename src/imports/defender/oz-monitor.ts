import { convertMessage } from "./convert-message.ts";
import { clauseOf, contractOf, mergeFilters, readStatus } from "./defender-api.ts";
import { type Fields, fieldsOf, isFields, listOf, maxRefLength, nameOf, textOf } from "./fields.ts";
import {
  type ChannelRef,
  ExportTooLarge,
  type Filter,
  type Monitor,
  maxAddresses,
  type ReadExport,
  type UnreadableMonitor,
  type Warning,
} from "./monitor.ts";

/** Detects an OpenZeppelin Monitor config: one monitor, or maps of monitors, networks and triggers. */
export function isOzMonitor(data: unknown): boolean {
  return monitorsIn(data).length > 0;
}

export function readOzMonitor(data: unknown): ReadExport {
  const triggers = triggersIn(fieldsOf(data).triggers);
  const monitors: Monitor[] = [];
  const errors: UnreadableMonitor[] = [];
  let contracts = 0;
  for (const [index, [key, exported]] of monitorsIn(data).entries()) {
    const networks = [...new Set(listOf(exported.networks).flatMap((network) => nameOf(network) ?? []))];
    const name = nameOf(exported.name) ?? key.slice(0, 200);
    if (networks.length === 0) {
      errors.push({ index, source_id: name, code: "invalid_item", message: "The monitor has no network." });
    }
    // Every address applies to every network, so the number of contracts is the product of both.
    contracts += networks.length * Math.max(1, listOf(exported.addresses).length);
    if (contracts > maxAddresses) throw new ExportTooLarge();
    if (networks.length > 0) monitors.push(...readMonitor(name, exported, networks, triggers));
  }
  return { monitors, errors };
}

function monitorsIn(data: unknown): [string, Fields][] {
  const isMonitor = (value: unknown): value is Fields => isFields(value) && "match_conditions" in value;
  if (isMonitor(data)) return [["monitor", data]];
  const list = Array.isArray(data) ? data : fieldsOf(data).monitors;
  const entries = Array.isArray(list)
    ? list.map((item, index) => [String(index), item] as const)
    : Object.entries(fieldsOf(list));
  return entries.flatMap(([key, value]) => (isMonitor(value) ? [[key, value] as [string, Fields]] : []));
}

/** Returns one monitor for each network. */
function readMonitor(
  name: string,
  exported: Fields,
  networks: string[],
  triggers: Map<string, Fields>,
): Monitor[] {
  const conditions = fieldsOf(exported.match_conditions);
  const triggerNames = listOf(exported.triggers).flatMap((trigger) => textOf(trigger) ?? []);
  const first = triggers.get(triggerNames[0] ?? "");
  const text = fieldsOf(fieldsOf(first?.config).message);
  const { message, warnings } = convertMessage(textOf(text.title), textOf(text.body));
  const monitor = {
    name,
    contracts: listOf(exported.addresses).flatMap((address) =>
      contractOf(fieldsOf(address).address, fieldsOf(address).contract_spec ?? undefined),
    ),
    filters: mergeFilters(readFilters(conditions)),
    threshold: null,
    cooldown_seconds: 0,
    severity: "warning" as const,
    confirmations: null,
    isPaused: exported.paused === true,
    message,
    channels: triggerNames.map((ref) => readTrigger(ref, triggers.get(ref))),
    risk: null,
    warnings: [...warnings, ...featureWarnings(exported)],
  };
  return networks.map((network) => ({ ...monitor, network, source_id: `${name}:${network}` }));
}

/** Transaction conditions are alternatives: each becomes a filter with all events and functions. */
function readFilters(conditions: Fields): Filter[] {
  const events = listOf(conditions.events).flatMap((event) => clauseOf(fieldsOf(event), "signature"));
  const functions = listOf(conditions.functions).flatMap((condition) =>
    clauseOf(fieldsOf(condition), "signature"),
  );
  const transactions = listOf(conditions.transactions).map(fieldsOf);
  const alternatives = transactions.length > 0 ? transactions : [{}];
  return alternatives.map((alternative) => ({
    status: readStatus(alternative.status),
    expression: textOf(alternative.expression),
    events,
    functions,
  }));
}

/** Collects triggers from one map or from several nested maps, because each trigger file is a map. */
function triggersIn(value: unknown): Map<string, Fields> {
  const triggers = new Map<string, Fields>();
  const collect = (fields: Fields) => {
    for (const [key, value] of Object.entries(fields)) {
      if (!isFields(value)) continue;
      if ("trigger_type" in value) triggers.set(key, value);
      else collect(value);
    }
  };
  collect(fieldsOf(value));
  return triggers;
}

function readTrigger(ref: string, trigger: Fields | undefined): ChannelRef {
  const type = textOf(trigger?.trigger_type);
  const config = fieldsOf(trigger?.config);
  const shapes: Record<string, Fields> = {
    slack: { url: secretOf(config.slack_url) },
    discord: { url: secretOf(config.discord_url) },
    webhook: { url: secretOf(config.url), secret: secretOf(config.secret) },
    telegram: { botToken: secretOf(config.token), chatId: config.chat_id },
    email: { emails: config.recipients },
  };
  return {
    ref: ref.slice(0, maxRefLength),
    name: nameOf(trigger?.name, maxRefLength) ?? ref.slice(0, maxRefLength),
    type,
    config: type && trigger && Object.hasOwn(shapes, type) ? (shapes[type] as Fields) : null,
    isPaused: false,
  };
}

/** Returns a secret given as plain text. Secrets in environment variables or a vault are not in the export. */
function secretOf(value: unknown): unknown {
  const { type, value: text } = fieldsOf(value);
  return typeof value === "string" ? value : String(type ?? "").toLowerCase() === "plain" ? text : undefined;
}

function featureWarnings(item: Fields): Warning[] {
  if (listOf(item.trigger_conditions).length === 0) return [];
  const message =
    "The monitor has scripts that filter matches, which are not supported and were not imported.";
  return [{ code: "unsupported_feature", message }];
}
