import { convertMessage } from "./convert-message.ts";
import {
  clauseOf,
  contractOf,
  mergeFilters,
  readConfirmations,
  readRisk,
  readSeverity,
  readThreshold,
} from "./defender-api.ts";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  maxRefLength,
  nameOf,
  numberOf,
  oneOrMore,
  textOf,
} from "./fields.ts";
import type { ChannelRef, Filter, Monitor, ReadExport, UnreadableMonitor, Warning } from "./monitor.ts";

/** Detects a Defender as Code file: `resources.monitors` with keys in kebab case. */
export function isServerless(data: unknown): boolean {
  return isFields(fieldsOf(fieldsOf(data).resources).monitors);
}

export function readServerless(data: unknown): ReadExport {
  const resources = fieldsOf(fieldsOf(data).resources);
  const stack = nameOf(fieldsOf(data).service) ?? "stack";
  const monitors: Monitor[] = [];
  const errors: UnreadableMonitor[] = [];
  for (const [index, [key, value]] of Object.entries(fieldsOf(resources.monitors)).entries()) {
    const read = readMonitor(key, fieldsOf(value), resources, stack, index);
    if ("code" in read) errors.push(read);
    else monitors.push(read);
  }
  return { monitors, errors };
}

function readMonitor(
  key: string,
  exported: Fields,
  resources: Fields,
  stack: string,
  index: number,
): Monitor | UnreadableMonitor {
  const source_id = `${stack}.${key.slice(0, 200)}`;
  const fail = (code: string, message: string) => ({ index, source_id, code, message });
  const network = nameOf(exported.network);
  if (exported.type === "FORTA")
    return fail(
      "unsupported_feature",
      "Forta monitors cannot be imported, because the Forta network no longer exists.",
    );
  if (!network) return fail("invalid_item", "The monitor has no network.");
  const notify = fieldsOf(exported["notify-config"]);
  const { message, warnings } = convertMessage(textOf(notify["message-subject"]), textOf(notify.message));
  return {
    source_id,
    name: nameOf(exported.name) ?? key.slice(0, 200),
    network,
    contracts: readContracts(exported, resources),
    filters: mergeFilters(readFilters(fieldsOf(exported.conditions))),
    threshold: readThreshold(fieldsOf(exported["alert-threshold"]), "window-seconds"),
    cooldown_seconds: Math.ceil((numberOf(notify.timeout) ?? 0) / 1000),
    severity: readSeverity(notify["severity-level"]),
    confirmations: readConfirmations(exported["confirm-level"]),
    isPaused: exported.paused === true,
    message,
    channels: listOf(notify.channels).map((channel) => readChannel(channel, resources)),
    risk: readRisk(exported["risk-category"]),
    warnings: [...warnings, ...featureWarnings(exported)],
  };
}

/** Reads addresses, and contracts given as `<network>-0x…`, as an object or as a reference into the same file. */
function readContracts(exported: Fields, resources: Fields): Monitor["contracts"] {
  const listedByAddress = oneOrMore(exported.addresses).flatMap((address) =>
    contractOf(address, exported.abi),
  );
  const contracts = oneOrMore(exported.contracts).flatMap((contract) => {
    const resolved = typeof contract === "string" ? (followRef(contract, resources) ?? contract) : contract;
    if (isFields(resolved)) return contractOf(resolved.address, resolved.abi ?? exported.abi);
    const [, address] = /^[A-Za-z0-9_-]+-(0x[0-9a-fA-F]+)$/.exec(String(resolved)) ?? [];
    return contractOf(address ?? resolved, exported.abi);
  });
  return [...listedByAddress, ...contracts];
}

function readFilters(conditions: Fields): Filter[] {
  const events = listOf(conditions.event).flatMap((event) => clauseOf(fieldsOf(event), "signature"));
  const functions = listOf(conditions.function).flatMap((condition) =>
    clauseOf(fieldsOf(condition), "signature"),
  );
  const expression = textOf(conditions.transaction);
  if (events.length === 0 && functions.length === 0 && expression === null) return [];
  return [{ status: "any", expression, events, functions }];
}

function readChannel(value: unknown, resources: Fields): ChannelRef {
  const text = textOf(value);
  const resolved = text === null ? value : followRef(text, resources);
  const fields = fieldsOf(resolved);
  return {
    ref: text?.slice(0, maxRefLength) ?? nameOf(fields.name, maxRefLength) ?? "unnamed",
    name: nameOf(fields.name, maxRefLength),
    type: textOf(fields.type),
    config: isFields(fields.config) ? fields.config : null,
    isPaused: fields.paused === true,
  };
}

/** Resolves a reference such as `${self:resources.notifications.email-1}` within the file. */
function followRef(text: string, resources: Fields): Fields | undefined {
  const [, path] = /^\$\{self:resources\.([\w.-]+)\}$/.exec(text) ?? [];
  if (!path) return undefined;
  const [group = "", ...rest] = path.split(".");
  const resource = fieldsOf(resources[group])[rest.join(".")];
  return isFields(resource) ? resource : undefined;
}

function featureWarnings(item: Fields): Warning[] {
  const dropped = [
    ...(item["action-trigger"] ? ["an action that runs on each match"] : []),
    ...(item["action-condition"] ? ["an action that filters matches"] : []),
  ];
  return dropped.map((what) => ({
    code: "unsupported_feature",
    message: `The monitor has ${what}, which is not supported and was not imported.`,
  }));
}
