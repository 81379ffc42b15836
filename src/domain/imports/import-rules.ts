import { createHash } from "node:crypto";
import type { ChannelRef, Filter, Monitor, Warning } from "../../imports/defender/monitor.ts";
import { changeSliceMs, makePause } from "../../lib/concurrency/pauses.ts";
import { insertRules, listRulesByRef } from "../../store/alerts/rules.ts";
import { recordWatchChanges } from "../../store/engine/watch.ts";
import type { RuleCreate } from "../../wire/alerts/rules.ts";
import type { DefenderImportResult } from "../../wire/imports/defender-import.ts";
import { ruleRow } from "../alerts/rule-row.ts";
import { remainingRuleQuota } from "../alerts/rules.ts";
import { updateSavedNames } from "../contracts/name-status.ts";
import { viewerOf } from "../viewer-of.ts";
import type { WriteContext } from "../write-context.ts";
import type { ResolvedChannel } from "./import-channels.ts";
import type { PlacedMonitor } from "./import-contracts.ts";
import { type ConvertedFilter, makeFilterConverter } from "./import-filters.ts";
import { makeNameCheck } from "./import-names.ts";
import { plainLine } from "./plain-line.ts";

type Item = DefenderImportResult["items"][number];
type ValidMonitor = Extract<PlacedMonitor, { target_id: string }>;

const week = 604_800;
/** Further warnings of a monitor are summarised. */
const maxWarnings = 20;

/** Creates the missing rules of each monitor, one per channel and filter, within the quota. */
export async function createRules(
  context: WriteContext,
  placed: PlacedMonitor[],
  resolve: (ref: ChannelRef) => Promise<ResolvedChannel>,
): Promise<{ items: Item[]; rules_created: number }> {
  const { app, tx, caller } = context;
  const drafts = new Map<PlacedMonitor, Draft[]>();
  const convert = makeFilterConverter();
  const checkNames = makeNameCheck(context);
  const pause = makePause(changeSliceMs);
  for (const placedMonitor of placed) {
    if ("target_id" in placedMonitor)
      drafts.set(
        placedMonitor,
        await draftsOf(placedMonitor, resolve, (filter) =>
          checkNames(placedMonitor.contract_id, convert(filter)),
        ),
      );
    await pause();
  }
  const refs = [...drafts.values()].flat().map(({ input }) => input.external_ref ?? "");
  const existing = await listRulesByRef(tx, viewerOf(caller), refs);
  const { remaining, quotaError } = await remainingRuleQuota(tx, caller.org_id);
  let remainingQuota = remaining;
  const rows: ReturnType<typeof ruleRow>[] = [];
  const items = placed.map((placedMonitor): Item => {
    if (!("target_id" in placedMonitor))
      return failed(placedMonitor, placedMonitor.code, placedMonitor.message);
    const draftsOfMonitor = drafts.get(placedMonitor) ?? [];
    const fresh = draftsOfMonitor.filter(({ input }) => !existing.has(input.external_ref ?? ""));
    if (fresh.length > remainingQuota) return failed(placedMonitor, "quota_exceeded", quotaError.message);
    remainingQuota -= fresh.length;
    const created = fresh.map(({ input }) =>
      ruleRow(
        app,
        caller,
        { contract_id: placedMonitor.contract_id, name: placedMonitor.monitor.name },
        input,
      ),
    );
    for (const row of created) existing.set(String(row.external_ref), row.id);
    rows.push(...created);
    const rule_ids = draftsOfMonitor.flatMap(({ input }) => existing.get(input.external_ref ?? "") ?? []);
    const warnings = distinct([
      ...placedMonitor.warnings,
      ...draftsOfMonitor.flatMap((draft) => draft.warnings),
    ]);
    const status = fresh.length > 0 ? ("imported" as const) : ("skipped" as const);
    const { contract_id } = placedMonitor;
    return { ...about(placedMonitor), contract_id, rule_ids, status, code: null, message: null, warnings };
  });
  await insertRules(tx, rows);
  await recordChanges(context, placed, rows);
  return { items, rules_created: rows.length };
}

async function recordChanges(
  { app, tx, caller, effects }: WriteContext,
  placed: PlacedMonitor[],
  rows: ReturnType<typeof ruleRow>[],
): Promise<void> {
  const changed = new Set(rows.map(({ contract_id }) => contract_id));
  const good = placed.filter(
    (placedMonitor): placedMonitor is ValidMonitor =>
      "target_id" in placedMonitor && changed.has(placedMonitor.contract_id),
  );
  for (const [chain, group] of Map.groupBy(good, ({ chain: key }) => key)) {
    await recordWatchChanges(tx, chain, [...new Set(group.map(({ contract_id }) => contract_id))]);
  }
  for (const id of changed) await updateSavedNames(app, tx, { id, org_id: caller.org_id }, "anything");
  for (const { id, contract_id, target_id } of rows) {
    const details = { contract_id, target_id, imported: true };
    effects.audit({ org_id: caller.org_id, action: "rule.created", subject: { type: "rule", id }, details });
  }
  if (rows.length > 0) effects.hint({ topic: "watch.changed" });
}

type Draft = { input: RuleCreate; warnings: Warning[] };

/** Drafts one rule per channel and filter; without channels, one rule without a channel. */
async function draftsOf(
  valid: ValidMonitor,
  resolve: (ref: ChannelRef) => Promise<ResolvedChannel>,
  convert: (filter: Filter) => Promise<ConvertedFilter>,
): Promise<Draft[]> {
  const { monitor } = valid;
  const channels: (ChannelRef | null)[] = monitor.channels.length > 0 ? monitor.channels : [null];
  const drafts: Draft[] = [];
  for (const [index, filter] of monitor.filters.entries()) {
    const converted = await convert(filter);
    for (const ref of channels) {
      const channel = ref && (await resolve(ref));
      drafts.push(draftOf(valid, converted, index, ref, channel));
    }
  }
  return drafts;
}

function draftOf(
  { monitor, target_id, chain, address }: ValidMonitor,
  { match, warnings, isLost }: ConvertedFilter,
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
        // Without a threshold, such a monitor reports every match.
        ...(monitor.threshold ? {} : { aggregation: "each" as const }),
        window_seconds,
        ...(match && { match }),
      },
      cooldown_seconds: Math.min(Math.max(monitor.cooldown_seconds, 0), week),
      confirmations: monitor.confirmations,
      message_template: monitor.message,
      channel_id: channel && "channel_id" in channel ? channel.channel_id : null,
      record_only: !(channel && "channel_id" in channel),
      // A rule that would match too much or nothing, or that has no channel, stays disabled until it is reviewed.
      is_enabled: !(monitor.isPaused || isLost || isUnresolved),
      external_ref: refOf(monitor, chain, address, index, ref),
    },
    warnings: [
      ...warnings,
      ...(window === window_seconds ? [] : [clamped(window, window_seconds)]),
      ...(ref === null ? [noChannels] : []),
      ...(isUnresolved ? [unresolved(ref, channel)] : []),
    ],
  };
}

const noChannels: Warning = {
  code: "no_channels",
  message: "The monitor has no channels; its rule only records events.",
};

function unresolved(ref: ChannelRef | null, channel: { problem: string }): Warning {
  const name = plainLine(ref?.name ?? ref?.ref ?? "", 80);
  const message = `The channel ${JSON.stringify(name)} could not be resolved (${channel.problem}); its rule is disabled until it has a channel.`;
  return { code: "channel_unresolved", message };
}

function clamped(from: number, to: number): Warning {
  return { code: "value_clamped", message: `The window was changed from ${from} to ${to} seconds.` };
}

/** Identifies a rule by monitor, address, filter and channel, so that repeated imports find it. */
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

function about({ monitor, chain, address }: PlacedMonitor) {
  return {
    source_id: plainLine(monitor.source_id, 200),
    name: plainLine(monitor.name, 200),
    chain,
    address: address.slice(0, 200),
  };
}

function failed(placedMonitor: PlacedMonitor, code: string, message: string): Item {
  const { contract_id, warnings } = placedMonitor;
  return {
    ...about(placedMonitor),
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
