import { convertMessage } from "./convert-message.ts";
import { type Fields, fieldsOf, isFields, listOf, maxRefLength, nameOf, numberOf, textOf } from "./fields.ts";
import type {
  ChannelRef,
  Clause,
  Filter,
  Monitor,
  ReadExport,
  UnreadableMonitor,
  Warning,
} from "./monitor.ts";

/** Detects a list of Defender monitors or of the older Sentinels: an array, or one under `items`. */
export function isDefenderApi(data: unknown): boolean {
  const items = Array.isArray(data) ? data : listOf(fieldsOf(data).items);
  return items.some((item) => isFields(item) && ("addressRules" in item || "fortaRule" in item));
}

export function readDefenderApi(data: unknown): ReadExport {
  const items = Array.isArray(data) ? data : listOf(fieldsOf(data).items);
  const monitors: Monitor[] = [];
  const errors: UnreadableMonitor[] = [];
  for (const [index, item] of items.entries()) {
    const read = readMonitor(fieldsOf(item), index);
    if ("code" in read) errors.push(read);
    else monitors.push(read);
  }
  return { monitors, errors };
}

function readMonitor(exported: Fields, index: number): Monitor | UnreadableMonitor {
  const source_id = nameOf(exported.monitorId) ?? nameOf(exported.subscriberId);
  const fail = (code: string, message: string) => ({ index, source_id, code, message });
  if (exported.type === "FORTA" || isFields(exported.fortaRule)) {
    return fail(
      "unsupported_feature",
      "Forta monitors cannot be imported, because the Forta network no longer exists.",
    );
  }
  const network = nameOf(exported.network);
  if (!network) return fail("invalid_item", "The monitor has no network.");
  const rules = listOf(exported.addressRules).map(fieldsOf);
  const notify = fieldsOf(exported.notifyConfig);
  const name = nameOf(exported.name) ?? `Monitor ${index + 1}`;
  const { message, warnings } = convertMessage(textOf(notify.messageSubject), textOf(notify.messageBody));
  return {
    source_id: source_id ?? `${network}:${name}`,
    name,
    network,
    contracts: rules.flatMap(({ addresses, abi }) =>
      listOf(addresses).flatMap((address) => contractOf(address, abi)),
    ),
    filters: mergeFilters(
      rules.flatMap(({ conditions }) => listOf(conditions).map(fieldsOf)).map(readFilter),
    ),
    threshold: readThreshold(fieldsOf(exported.alertThreshold), "windowSeconds"),
    cooldown_seconds: Math.ceil((numberOf(notify.timeoutMs) ?? 0) / 1000),
    severity: readSeverity(notify.severityLevel),
    confirmations: readConfirmations(textOf(exported.blockWatcherId)?.split("-").at(-1)),
    isPaused: exported.paused === true,
    message,
    channels: listOf(notify.notifications).map(readChannel),
    risk: readRisk(exported.riskCategory),
    warnings: [...warnings, ...featureWarnings(rules, notify)],
  };
}

export function contractOf(address: unknown, abi: unknown): Monitor["contracts"] {
  const text = textOf(address);
  return text ? [{ address: text, abi }] : [];
}

function readFilter(set: Fields): Filter {
  const transaction = fieldsOf(listOf(set.txConditions)[0]);
  return {
    status: readStatus(transaction.status),
    expression: textOf(transaction.expression),
    events: listOf(set.eventConditions).flatMap((condition) =>
      clauseOf(fieldsOf(condition), "eventSignature"),
    ),
    functions: listOf(set.functionConditions).flatMap((condition) =>
      clauseOf(fieldsOf(condition), "functionSignature"),
    ),
  };
}

export function clauseOf(fields: Fields, name: string): Clause[] {
  const signature = textOf(fields[name]);
  return signature ? [{ signature, expression: textOf(fields.expression) }] : [];
}

export function readStatus(value: unknown): Filter["status"] {
  const status = String(value ?? "any").toLowerCase();
  if (status === "success") return "success";
  return status === "failed" || status === "failure" ? "failed" : "any";
}

/** Merges filters with the same transaction condition. A monitor without conditions matches every transaction. */
export function mergeFilters(filters: Filter[]): Filter[] {
  if (filters.length === 0) return [{ status: "any", expression: null, events: [], functions: [] }];
  const groups = Map.groupBy(filters, ({ status, expression }) => JSON.stringify([status, expression]));
  // Filters may share one list, which is then used once.
  const join = (lists: Clause[][]) => [...new Set(lists)].flat();
  return [...groups.values()].map((group) => ({
    ...(group[0] as Filter),
    events: join(group.map(({ events }) => events)),
    functions: join(group.map(({ functions }) => functions)),
  }));
}

export function readThreshold(fields: Fields, window: string): Monitor["threshold"] {
  const [amount, seconds] = [numberOf(fields.amount), numberOf(fields[window])];
  if (amount === null || seconds === null || amount <= 0) return null;
  return { amount, window_seconds: Math.round(seconds) };
}

export function readSeverity(value: unknown): Monitor["severity"] {
  const level = String(value ?? "").toUpperCase();
  if (level === "LOW") return "info";
  return level === "HIGH" ? "critical" : "warning";
}

export function readConfirmations(value: unknown): Monitor["confirmations"] {
  if (value === "safe" || value === "finalized") return value;
  const blocks = Number(value);
  // One confirmation is the block of the transaction.
  return Number.isInteger(blocks) && blocks > 1 ? Math.min(blocks, 1_000) : null;
}

export function readRisk(value: unknown): string | null {
  const risk = textOf(value);
  return risk === null || risk.toUpperCase() === "NONE" ? null : risk.toLowerCase();
}

function readChannel(value: unknown): ChannelRef {
  const fields = fieldsOf(value);
  const [id, name] = [nameOf(fields.notificationId, maxRefLength), nameOf(fields.name, maxRefLength)];
  return {
    ref: id ?? name ?? nameOf(value, maxRefLength) ?? "unnamed",
    name,
    type: textOf(fields.type),
    config: isFields(fields.config) ? fields.config : null,
    isPaused: fields.paused === true,
  };
}

function featureWarnings(rules: Fields[], notify: Fields): Warning[] {
  const dropped = [
    ...(notify.actionId || notify.autotaskId ? ["an action that runs on each match"] : []),
    ...(rules.some((rule) => rule.actionCondition || rule.autotaskCondition)
      ? ["an action that filters matches"]
      : []),
    ...(notify.notificationCategoryId ? ["a notification category"] : []),
  ];
  return dropped.map((what) => ({
    code: "unsupported_feature",
    message: `The monitor has ${what}, which is not supported and was not imported.`,
  }));
}
