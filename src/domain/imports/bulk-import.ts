import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { readContractsCsvTask } from "../../imports/contracts-csv.ts";
import { mapInSlices } from "../../lib/concurrency/in-slices.ts";
import { listWatchedAt } from "../../store/contracts/contracts.ts";
import { insertLabels } from "../../store/contracts/labels.ts";
import { listVisibleIds } from "../../store/viewer.ts";
import { tierLimits } from "../../tiers.ts";
import { LabelCreate } from "../../wire/contracts/contracts.ts";
import type { BulkImport, BulkImportResult, BulkItem } from "../../wire/imports/bulk-import.ts";
import type { OrgCaller } from "../caller.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import {
  addContracts,
  type CheckedContract,
  checkContract,
  remainingContractQuota,
} from "../contracts/new-contract.ts";
import { dryRun, inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import type { WriteContext } from "../write-context.ts";
import { plainLine } from "./plain-line.ts";

const maxLabels = 20;

type Item = BulkImportResult["items"][number];

/** Returns the items of a request, from JSON or CSV. */
export async function itemsOf(
  app: App,
  org_id: string,
  { contracts, csv = "" }: BulkImport,
): Promise<BulkItem[]> {
  if (contracts) return contracts;
  const read = await app.workers.run(readContractsCsvTask, org_id, csv);
  if ("items" in read) return read.items;
  throw new InvalidRequest([{ loc: ["body", "csv"], msg: read.problem, type: "value_error" }]);
}

/** Creates many contracts in one transaction. Items are validated separately; those beyond the quota are `not_reached`. */
export async function bulkImport(
  app: App,
  caller: OrgCaller,
  input: BulkImport,
  { dry_run }: { dry_run: boolean },
): Promise<BulkImportResult> {
  const items = await itemsOf(app, caller.org_id, input);
  const findChain = await makeChainFinder(app);
  const checked = await mapInSlices(items, (item) => check(findChain, caller, item), 1);
  const run = dry_run ? dryRun : inTransaction;
  return run(app, caller, async (tx, effects) => {
    const { remaining } = await remainingContractQuota(tx, caller.org_id);
    const added = await addAll({ app, tx, caller, effects }, items, checked, remaining);
    // The contracts of a dry run do not exist.
    const isNew = ({ status }: Item) => dry_run && status === "imported";
    const results = added.map((item) => (isNew(item) ? { ...item, contract_id: null } : item));
    const count = (status: Item["status"]) => results.filter((result) => result.status === status).length;
    return {
      dry_run,
      imported: count("imported"),
      skipped: count("skipped"),
      failed: count("failed"),
      not_reached: count("not_reached"),
      items: results,
    };
  });
}

type FindChain = Awaited<ReturnType<typeof makeChainFinder>>;
type Checked = { contract: CheckedContract; labels: string[] } | { code: string; message: string };

function check(findChain: FindChain, caller: OrgCaller, item: BulkItem): Checked {
  if ("problem" in item) return { code: "invalid_item", message: item.problem };
  const { labels = [], targets = [], chain, address, label } = item;
  const plain = [...new Set(targets)].map((target_type) => ({ target_type }));
  const selected_targets = [...plain, ...(item.selected_targets ?? [])];
  const problem = labelProblem(labels) ?? targetProblem(caller, selected_targets);
  if (problem) return { code: "invalid_item", message: problem };
  try {
    const named = label?.trim() ? { label: plainLine(label, 100) } : {};
    return { contract: checkContract(findChain, { chain, address, selected_targets, ...named }), labels };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const [issue] = error.issues;
    const codes: Record<string, string> = { chain: "unsupported_chain", address: "invalid_address" };
    const code = codes[String(issue?.loc.at(-1))] ?? "invalid_item";
    return {
      code,
      message: error.issues.map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}`).join("; "),
    };
  }
}

function labelProblem(labels: string[]): string | undefined {
  if (labels.length > maxLabels) return `A contract can have at most ${maxLabels} labels.`;
  const invalid = labels.find((text) => !LabelCreate.safeParse(readLabel(text)).success);
  return invalid === undefined ? undefined : `The label ${JSON.stringify(invalid.slice(0, 60))} is invalid.`;
}

/** `env:prod` is the value `prod` with the key `env`. */
function readLabel(text: string): { key: string | null; value: string } {
  const [, key, value] = /^([^:]*[^:\s][^:]*):(.*\S.*)$/s.exec(text) ?? [];
  return key && value ? { key: key.trim(), value: value.trim() } : { key: null, value: text.trim() };
}

function targetProblem({ tier }: OrgCaller, targets: { target_type: string }[]): string | undefined {
  const { targetsPerContract } = tierLimits[tier];
  if (targets.length > targetsPerContract)
    return `A contract can have at most ${targetsPerContract} targets.`;
  const types = targets.map(({ target_type }) => target_type);
  const invalid = types.find((type) => !/^[A-Za-z0-9_.:-]{1,100}$/.test(type));
  return invalid === undefined
    ? undefined
    : `${JSON.stringify(invalid.slice(0, 60))} is not a valid target type.`;
}

type Valid = Extract<Checked, { contract: CheckedContract }>;

async function addAll(
  context: WriteContext,
  items: BulkItem[],
  checked: Checked[],
  remaining: number,
): Promise<Item[]> {
  const { tx, caller } = context;
  const locations = checked.flatMap((item) => ("contract" in item ? [locationOf(item.contract)] : []));
  const watched = await listWatchedAt(tx, caller.org_id, locations);
  const visible = new Set(await listVisibleIds(tx, viewerOf(caller), [...watched.values()]));
  const hidden = new Set([...watched.values()].filter((id) => !visible.has(id)));
  const chosen = selectNew(checked, watched, remaining);
  const ids = await addContracts(
    context,
    chosen.map(({ contract }) => contract),
  );
  await addLabels(context, chosen, ids);
  const added = new Map(chosen.map(({ contract }, index) => [contract, ids[index] ?? null]));
  for (const { contract } of chosen) watched.set(keyOf(locationOf(contract)), added.get(contract) ?? "");
  return items.map(({ chain, address }, index) => ({
    index,
    chain,
    address,
    ...outcomeOf(checked[index] as Checked, added, watched, hidden),
  }));
}

/** Selects the contracts to add: valid, new, each address once, within the quota. */
function selectNew(checked: Checked[], watched: Map<string, string>, remaining: number): Valid[] {
  const chosen = new Map<string, Valid>();
  for (const item of checked) {
    if (!("contract" in item)) continue;
    const key = keyOf(locationOf(item.contract));
    if (!watched.has(key) && !chosen.has(key) && chosen.size < remaining) chosen.set(key, item);
  }
  return [...chosen.values()];
}

function outcomeOf(
  item: Checked,
  added: Map<CheckedContract, string | null>,
  watched: Map<string, string>,
  hidden: Set<string>,
): Pick<Item, "status" | "contract_id" | "code" | "message"> {
  if (!("contract" in item))
    return { status: "failed", contract_id: null, code: item.code, message: item.message };
  const id = added.get(item.contract);
  if (id) return { status: "imported", contract_id: id, code: null, message: null };
  const existing = watched.get(keyOf(locationOf(item.contract)));
  if (existing) {
    const message = "The contract is already monitored.";
    // The id of a contract that the caller cannot see is not revealed.
    const contract_id = hidden.has(existing) ? null : existing;
    return { status: "skipped", contract_id, code: "contract_exists", message };
  }
  const message = "The contract quota of the tier is exhausted.";
  return { status: "not_reached", contract_id: null, code: "quota_exceeded", message };
}

async function addLabels(
  { app, tx, caller }: WriteContext,
  chosen: Valid[],
  ids: (string | undefined)[],
): Promise<void> {
  const rows = chosen.flatMap(({ labels }, index) => {
    const contract_id = ids[index];
    // Existing contracts were excluded under the lock of the org, so this cannot be one of them.
    if (!contract_id) throw new AppError("conflict", "A contract was added at the same time. Try again.");
    const distinct = new Map(labels.map((text) => [text.trim().toLowerCase(), readLabel(text)]));
    return [...distinct.values()].map(({ key, value }) => ({
      id: newId(app),
      org_id: caller.org_id,
      contract_id,
      key,
      value,
      color: null,
      created_at: app.clock.now(),
    }));
  });
  for (let from = 0; from < rows.length; from += 5_000)
    await insertLabels(tx, rows.slice(from, from + 5_000));
}

type Location = { chain: string; address: string };
const locationOf = ({ chain, address }: CheckedContract): Location => ({ chain: chain.chain, address });
const keyOf = ({ chain, address }: Location) => `${chain} ${address}`;
