import type { App } from "../../app.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Monitor } from "../../imports/defender/monitor.ts";
import { readExportTask } from "../../imports/defender/read-export.ts";
import { missingChannels } from "../../store/alerts/rules.ts";
import type { Db } from "../../store/open-store.ts";
import type { DefenderImport, DefenderImportResult } from "../../wire/imports/defender-import.ts";
import { recordAccessDenial } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import { dryRun, inTransaction, type TxEffects } from "../transaction.ts";
import type { WriteContext } from "../write-context.ts";
import { makeChannelResolver } from "./import-channels.ts";
import { placeMonitors } from "./import-contracts.ts";
import { createRules } from "./import-rules.ts";

/**
 * Imports the monitors of an export: each becomes a contract, a `tx_rate` target and a rule per channel. A dry run does the
 * same in a transaction that is rolled back. A repeated import adds only what is new.
 */
export async function importDefender(
  app: App,
  caller: OrgCaller,
  input: DefenderImport,
): Promise<DefenderImportResult> {
  // Text is copied to a thread much faster than an object with many fields.
  const text = typeof input.export === "string" ? input.export : JSON.stringify(input.export ?? null);
  const read = await app.workers.run(readExportTask, caller.org_id, text);
  if ("code" in read) {
    throw new InvalidRequest([{ loc: ["body", "export"], msg: read.message, type: read.code }]);
  }
  await requireOwnChannels(app, caller, input);
  const findChain = await makeChainFinder(app);
  const run = async (tx: Db, effects: TxEffects): Promise<DefenderImportResult> => {
    const applied = await importMonitors({ app, tx, caller, effects }, read.monitors, input, findChain);
    const count = (status: "imported" | "skipped" | "failed") =>
      applied.items.filter((item) => item.status === status).length;
    return {
      dry_run: input.dry_run,
      monitors_total: read.monitors.length + read.errors.length,
      imported: count("imported"),
      skipped: count("skipped"),
      failed: count("failed") + read.errors.length,
      ...applied,
      errors: read.errors,
    };
  };
  if (input.dry_run) return dryRun(app, caller, run);
  const result = await inTransaction(app, caller, run);
  await recordDenial(app, caller, result);
  return result;
}

/** The import continues with the other monitors, so a denied one is not an error of the request. */
async function recordDenial(app: App, caller: OrgCaller, { items }: DefenderImportResult): Promise<void> {
  const isDenied = items.some(({ code }) => code === "role_required");
  if (!isDenied || caller.kind === "system") return;
  const denial = { operation: "importFromDefender", reason: "role_required" };
  await recordAccessDenial(app, caller, caller.org_id, denial);
}

async function importMonitors(
  context: WriteContext,
  monitors: Monitor[],
  input: DefenderImport,
  findChain: Awaited<ReturnType<typeof makeChainFinder>>,
) {
  const placed = await placeMonitors(context, monitors, findChain);
  const channels = await makeChannelResolver(context, input);
  const created = await createRules(context, placed.items, channels.resolve);
  return {
    contracts_created: placed.contracts_created,
    targets_created: placed.targets_created,
    rules_created: created.rules_created,
    channels_created: channels.created(),
    items: created.items,
  };
}

async function requireOwnChannels(app: App, caller: OrgCaller, input: DefenderImport): Promise<void> {
  const { channel_map = {}, default_channel_id } = input;
  const named = [...Object.values(channel_map), ...(default_channel_id ? [default_channel_id] : [])];
  const missing = new Set(await missingChannels(app.db, caller.org_id, [...new Set(named)]));
  if (missing.size === 0) return;
  const msg = "is not a channel of the organisation";
  const mapped = Object.entries(channel_map).filter(([, id]) => missing.has(id));
  throw new InvalidRequest([
    ...mapped.map(([ref]) => ({ loc: ["body", "channel_map", ref], msg, type: "value_error" })),
    ...(default_channel_id && missing.has(default_channel_id)
      ? [{ loc: ["body", "default_channel_id"], msg, type: "value_error" }]
      : []),
  ]);
}
