import { createHash } from "node:crypto";
import type { App } from "../../app.ts";
import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { carryExpression } from "../../imports/defender/expressions.ts";
import type { ChannelRef, Clause, Filter, Monitor, Warning } from "../../imports/defender/monitor.ts";
import { insertRules, listRulesByRef } from "../../store/alerts/rules.ts";
import { recordWatchChanges } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import type { RuleCreate } from "../../wire/alerts/rules.ts";
import type { DefenderImportResult } from "../../wire/imports/defender-import.ts";
import { remainingRuleQuota, ruleRow } from "../alerts/rules.ts";
import type { OrgCaller } from "../caller.ts";
import type { TxEffects } from "../transaction.ts";
import type { ResolvedChannel } from "./import-channels.ts";
import { type PlacedMonitor, plainLine } from "./import-contracts.ts";

type Item = DefenderImportResult["items"][number];
type Good = Extract<PlacedMonitor, { target_id: string }>;

const week = 604_800;
/** As long as a signature in a rule may be. */
const maxSignatureLength = 500;
/** More than anybody reads of one monitor. */
const maxWarnings = 20;

/** Makes a rule for each channel of each monitor that has none yet, as far as there is room. */
export async function makeRules(
  app: App,
  tx: Db,
  caller: OrgCaller,
  effects: TxEffects,
  placed: PlacedMonitor[],
  resolve: (ref: ChannelRef) => Promise<ResolvedChannel>,
): Promise<{ items: Item[]; rules_created: number }> {
  const drafts = new Map<PlacedMonitor, Draft[]>();
  const carried = makeFilterCarrier();
  for (const one of placed) if ("target_id" in one) drafts.set(one, await draftsOf(one, resolve, carried));
  const refs = [...drafts.values()].flat().map(({ input }) => input.external_ref ?? "");
  const known = await listRulesByRef(tx, caller.org_id, refs);
  const { remaining, quotaError } = await remainingRuleQuota(tx, caller.org_id);
  let left = remaining;
  const rows: ReturnType<typeof ruleRow>[] = [];
  const items = placed.map((one): Item => {
    if (!("target_id" in one)) return failed(one, one.code, one.message);
    const own = drafts.get(one) ?? [];
    const fresh = own.filter(({ input }) => !known.has(input.external_ref ?? ""));
    if (fresh.length > left) return failed(one, "quota_exceeded", quotaError.message);
    left -= fresh.length;
    const made = fresh.map(({ input }) =>
      ruleRow(app, caller, { contract_id: one.contract_id, name: one.monitor.name }, input),
    );
    for (const row of made) known.set(String(row.external_ref), row.id);
    rows.push(...made);
    const rule_ids = own.flatMap(({ input }) => known.get(input.external_ref ?? "") ?? []);
    const warnings = distinct([...one.warnings, ...own.flatMap((draft) => draft.warnings)]);
    const status = fresh.length > 0 ? ("imported" as const) : ("skipped" as const);
    return {
      ...about(one),
      contract_id: one.contract_id,
      rule_ids,
      status,
      code: null,
      message: null,
      warnings,
    };
  });
  await insertRules(tx, rows);
  await announce(tx, caller, effects, placed, rows);
  return { items, rules_created: rows.length };
}

async function announce(
  tx: Db,
  caller: OrgCaller,
  effects: TxEffects,
  placed: PlacedMonitor[],
  rows: ReturnType<typeof ruleRow>[],
): Promise<void> {
  const changed = new Set(rows.map(({ contract_id }) => contract_id));
  const good = placed.filter((one): one is Good => "target_id" in one && changed.has(one.contract_id));
  for (const [chain, group] of Map.groupBy(good, ({ chain: key }) => key)) {
    await recordWatchChanges(tx, chain, [...new Set(group.map(({ contract_id }) => contract_id))]);
  }
  for (const { id, contract_id, target_id } of rows) {
    const details = { contract_id, target_id, imported: true };
    effects.audit({ org_id: caller.org_id, action: "rule.created", subject: { type: "rule", id }, details });
  }
  if (rows.length > 0) effects.hint({ topic: "watch.changed" });
}

type Draft = { input: RuleCreate; warnings: Warning[] };

/** A rule for each channel and filter; without channels, one that records only. */
async function draftsOf(
  one: Good,
  resolve: (ref: ChannelRef) => Promise<ResolvedChannel>,
  carried: (filter: Filter) => CarriedFilter,
): Promise<Draft[]> {
  const { monitor } = one;
  const channels: (ChannelRef | null)[] = monitor.channels.length > 0 ? monitor.channels : [null];
  const drafts: Draft[] = [];
  for (const [index, filter] of monitor.filters.entries()) {
    for (const ref of channels) {
      const channel = ref && (await resolve(ref));
      drafts.push(draftOf(one, carried(filter), index, ref, channel));
    }
  }
  return drafts;
}

function draftOf(
  { monitor, target_id, chain, address }: Good,
  { match, warnings, isLost }: CarriedFilter,
  index: number,
  ref: ChannelRef | null,
  channel: ResolvedChannel | null,
): Draft {
  const window = monitor.threshold?.window_seconds ?? 60;
  const window_seconds = Math.min(Math.max(window, 60), week);
  const isUnresolved = channel !== null && "problem" in channel;
  return {
    input: {
      target_id,
      name: plainLine(monitor.name, 200),
      severity: monitor.severity,
      condition: {
        operator: "gte",
        threshold: monitor.threshold?.amount ?? 1,
        window_seconds,
        ...(match && { match }),
      },
      cooldown_seconds: Math.min(Math.max(monitor.cooldown_seconds, 0), week),
      confirmations: monitor.confirmations,
      message_template: monitor.message,
      channel_id: channel && "channel_id" in channel ? channel.channel_id : null,
      // What would count more than was meant, or tell nobody, waits for somebody to look at it.
      is_enabled: !(monitor.isPaused || isLost || isUnresolved),
      external_ref: refOf(monitor, chain, address, index, ref),
    },
    warnings: [
      ...warnings,
      ...(window === window_seconds ? [] : [clamped(window, window_seconds)]),
      ...(ref === null
        ? [{ code: "no_channels" as const, message: "The monitor told nobody; its rule records only." }]
        : []),
      ...(isUnresolved ? [unresolved(ref, channel)] : []),
    ],
  };
}

function unresolved(ref: ChannelRef | null, channel: { problem: string }): Warning {
  const name = plainLine(ref?.name ?? ref?.ref ?? "", 80);
  const message = `The channel ${JSON.stringify(name)} was not found (${channel.problem}); its rule is switched off until it has one.`;
  return { code: "channel_unresolved", message };
}

function clamped(from: number, to: number): Warning {
  return { code: "value_clamped", message: `A window of ${from} seconds became one of ${to}.` };
}

/** The same monitor, address, filter and channel is the same rule, however often it is imported. */
function refOf(
  monitor: Monitor,
  chain: string,
  address: string,
  index: number,
  ref: ChannelRef | null,
): string {
  const identity = JSON.stringify([monitor.source_id, chain, address.toLowerCase(), index, ref?.ref ?? null]);
  return `defender:${createHash("sha256").update(identity).digest("hex").slice(0, 40)}`;
}

type CarriedFilter = ReturnType<typeof carryFilter>;

/** Carries each filter once, however many addresses and channels it is for. */
function makeFilterCarrier(): (filter: Filter) => CarriedFilter {
  const known = new Map<Filter, CarriedFilter>();
  return (filter) => {
    const carried = known.get(filter) ?? carryFilter(filter);
    known.set(filter, carried);
    return carried;
  };
}

function carryFilter(filter: Filter) {
  const transaction = carryExpression(filter.expression, "transaction");
  const events = carryClauses(filter.events, canonicalEvent);
  const functions = carryClauses(filter.functions, canonicalFunction);
  const hasAny = filter.events.length + filter.functions.length > 0;
  const hasNone = events.clauses.length + functions.clauses.length === 0;
  const match = {
    ...(events.clauses.length > 0 && { events: events.clauses }),
    ...(functions.clauses.length > 0 && { functions: functions.clauses }),
    ...(filter.status !== "any" && { status: filter.status }),
    ...(transaction.expression !== undefined && { expression: transaction.expression }),
  };
  return {
    match: Object.keys(match).length > 0 ? match : undefined,
    warnings: [...transaction.warnings, ...events.warnings, ...functions.warnings],
    isLost: transaction.isLost || events.isLost || functions.isLost || (hasAny && hasNone),
  };
}

function carryClauses(clauses: Clause[], canonical: typeof canonicalEvent | typeof canonicalFunction) {
  const carried: { signature: string; expression?: string }[] = [];
  const warnings: Warning[] = [];
  let isLost = clauses.length > 50;
  for (const { signature, expression } of clauses.slice(0, 50)) {
    if (signature.length > maxSignatureLength || !canonical(signature).ok) {
      const message = `${JSON.stringify(signature.slice(0, 100))} is not a signature and was left out.`;
      warnings.push({ code: "invalid_signature", message });
      continue;
    }
    const own = carryExpression(expression, "arguments");
    warnings.push(...own.warnings);
    isLost ||= own.isLost;
    carried.push({ signature, ...(own.expression !== undefined && { expression: own.expression }) });
  }
  return { clauses: carried, warnings, isLost };
}

function about({ monitor, chain, address }: PlacedMonitor) {
  return {
    source_id: plainLine(monitor.source_id, 200),
    name: plainLine(monitor.name, 200),
    chain,
    address: address.slice(0, 200),
  };
}

function failed(one: PlacedMonitor, code: string, message: string): Item {
  const { contract_id, warnings } = one;
  return {
    ...about(one),
    contract_id,
    rule_ids: [],
    status: "failed",
    code,
    message,
    warnings: distinct(warnings),
  };
}

function distinct(warnings: Warning[]): Warning[] {
  const all = [
    ...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values(),
  ];
  if (all.length <= maxWarnings) return all;
  const more = { code: "unsupported_feature" as const, message: `And ${all.length - maxWarnings} more.` };
  return [...all.slice(0, maxWarnings), more];
}
