import { type App, newId } from "../app.ts";
import { readContractsCsv } from "../imports/contracts-csv.ts";
import { AppError, InvalidRequest } from "../lib/errors.ts";
import { listWatchedAt } from "../store/contracts.ts";
import { insertLabels } from "../store/labels.ts";
import type { Db } from "../store/open.ts";
import { tierLimits } from "../tiers.ts";
import type { BulkImport, BulkImportResult, BulkItem } from "../wire/bulk-import.ts";
import { LabelCreate } from "../wire/contracts.ts";
import type { OrgCaller } from "./caller.ts";
import { makeChainFinder } from "./chains.ts";
import { addContract, type CheckedContract, checkContract, roomForContracts } from "./new-contract.ts";
import { type Tools, write } from "./write.ts";

const mostLabels = 20;

type Item = BulkImportResult["items"][number];

/** The items of a request, however they were given. */
export function itemsOf({ contracts, csv }: BulkImport): BulkItem[] {
  const items = contracts ?? readContractsCsv(csv ?? "");
  if (items.length > 5_000) {
    throw new InvalidRequest([
      { loc: ["body", "csv"], msg: "must have at most 5,000 rows", type: "too_long" },
    ]);
  }
  return items;
}

/** Watches many contracts, each for itself, in one transaction; stops where the quota ends and says what was not reached. */
export async function bulkImport(app: App, caller: OrgCaller, input: BulkImport): Promise<BulkImportResult> {
  const items = itemsOf(input);
  const findChain = await makeChainFinder(app);
  const checked = items.map((item) => check(findChain, caller, item));
  return write(app, caller, async (tx, tools) => {
    const { room } = await roomForContracts(tx, caller.org_id);
    const results = await addAll(app, tx, caller, tools, items, checked, room);
    const count = (status: Item["status"]) => results.filter((one) => one.status === status).length;
    return {
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
  const { labels = [], targets = [], chain, address, label } = item;
  const problem = labelProblem(labels) ?? targetProblem(caller, targets);
  if (problem) return { code: "invalid_item", message: problem };
  try {
    const selected_targets = [...new Set(targets)].map((target_type) => ({ target_type }));
    const named = label?.trim() ? { label: label.trim().slice(0, 100) } : {};
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
  if (labels.length > mostLabels) return `A contract has at most ${mostLabels} labels.`;
  const wrong = labels.find((value) => !LabelCreate.safeParse({ value }).success);
  return wrong === undefined ? undefined : `The label ${JSON.stringify(wrong.slice(0, 60))} cannot be one.`;
}

function targetProblem({ tier }: OrgCaller, targets: string[]): string | undefined {
  const { targetsPerContract } = tierLimits[tier];
  if (new Set(targets).size > targetsPerContract)
    return `A contract has at most ${targetsPerContract} targets.`;
  const wrong = targets.find((type) => !/^[A-Za-z0-9_.:-]{1,100}$/.test(type));
  return wrong === undefined
    ? undefined
    : `${JSON.stringify(wrong.slice(0, 60))} cannot be a type of target.`;
}

async function addAll(
  app: App,
  tx: Db,
  caller: OrgCaller,
  tools: Tools,
  items: BulkItem[],
  checked: Checked[],
  room: number,
): Promise<Item[]> {
  const places = checked.flatMap((one) => ("contract" in one ? [placeOf(one.contract)] : []));
  const known = await listWatchedAt(tx, caller.org_id, places);
  let left = room;
  const results: Item[] = [];
  for (const [index, item] of items.entries()) {
    const one = checked[index] as Checked;
    const about = { index, chain: item.chain, address: item.address };
    const say = (
      status: Item["status"],
      contract_id: string | null,
      code: string | null,
      message: string | null,
    ) => results.push({ ...about, status, contract_id, code, message });
    if (!("contract" in one)) {
      say("failed", null, one.code, one.message);
      continue;
    }
    const place = keyOf(placeOf(one.contract));
    const existing = known.get(place);
    if (existing) say("skipped", existing, "contract_exists", "The contract is watched already.");
    else if (left === 0)
      say("not_reached", null, "quota_exceeded", "The tier has no room for more contracts.");
    else {
      const id = await addOne(app, tx, caller, tools, one);
      known.set(place, id);
      left--;
      say("imported", id, null, null);
    }
  }
  return results;
}

async function addOne(
  app: App,
  tx: Db,
  caller: OrgCaller,
  tools: Tools,
  { contract, labels }: Extract<Checked, { contract: CheckedContract }>,
): Promise<string> {
  const id = await addContract(app, tx, caller, contract, tools);
  // Known ones were passed over under the org's lock.
  if (!id) throw new AppError("conflict", "A contract of the import was added at the same time. Try again.");
  const distinct = new Map(labels.map((value) => [value.trim().toLowerCase(), value.trim()]));
  await insertLabels(
    tx,
    [...distinct.values()].map((value) => ({
      id: newId(app),
      org_id: caller.org_id,
      contract_id: id,
      key: null,
      value,
      color: null,
      created_at: app.clock.now(),
    })),
  );
  return id;
}

type Place = { chain: string; address: string };
const placeOf = ({ chain, address }: CheckedContract): Place => ({ chain: chain.chain, address });
const keyOf = ({ chain, address }: Place) => `${chain} ${address}`;
