import { type App, newId } from "../app.ts";
import type { Chain } from "../chains/chain.ts";
import { readAbi } from "../chains/evm/abi.ts";
import { readAddress } from "../chains/evm/address.ts";
import { AppError, InvalidRequest, type Issue } from "../lib/errors.ts";
import { countContracts, insertContract } from "../store/contracts.ts";
import type { Db } from "../store/open.ts";
import { lockOrg } from "../store/orgs.ts";
import { tierLimits, tierName } from "../tiers.ts";
import type { ContractCreate } from "../wire/contracts.ts";
import type { OrgCaller } from "./caller.ts";
import { settleStatus } from "./contract-status.ts";
import { targetIssues } from "./target-config.ts";
import { addTarget } from "./targets.ts";
import type { Tools } from "./write.ts";

/** What is to be watched, once nothing is wrong with it. */
export type CheckedContract = {
  chain: Chain;
  address: string;
  input: Pick<ContractCreate, "label" | "selected_targets" | "abi">;
  /** Where the input stands in the request. */
  loc: (string | number)[];
  /** Where the ABI comes from, and what it is called where it was imported from. */
  origin?: { abi_source: "upload" | "import"; external_ref: string | null };
};

/** Reads what somebody wants to watch; throws everything that is wrong with it. */
export function checkContract(
  findChain: (key: string) => Chain | undefined,
  input: ContractCreate,
  loc: (string | number)[] = ["body"],
): CheckedContract {
  const chain = findChain(input.chain);
  const address = readAddress(input.address);
  const issues = [
    ...placeIssues(chain, address, loc),
    ...abiIssues(input.abi, loc),
    ...(input.selected_targets ?? []).flatMap((target, index) =>
      targetIssues(target, [...loc, "selected_targets", index]),
    ),
  ];
  if (!chain || !address || issues.length > 0) throw new InvalidRequest(issues);
  return { chain, address, input, loc };
}

/** How many more contracts the org may have, counted under its lock: many requests at once cannot each take the last place. */
export async function roomForContracts(tx: Db, org_id: string): Promise<{ room: number; refusal: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { contracts } = tierLimits[tier];
  const room = Math.max(0, contracts - (await countContracts(tx, org_id)));
  const message = `The ${tierName(tier)} tier has room for ${contracts} contracts.`;
  return { room, refusal: new AppError("quota_exceeded", message) };
}

/** Adds a contract inside a transaction that holds the org's lock and has room; undefined when it is watched already. */
export async function addContract(
  app: App,
  tx: Db,
  caller: OrgCaller,
  checked: CheckedContract,
  { audit, hint }: Tools,
): Promise<string | undefined> {
  const id = newId(app);
  if (!(await insertContract(tx, rowOf(app, caller, id, checked)))) return undefined;
  const { chain, address, input, loc } = checked;
  for (const [index, target] of (input.selected_targets ?? []).entries()) {
    await addTarget(app, tx, caller, id, target, [...loc, "selected_targets", index]);
  }
  await settleStatus(app, tx, caller.org_id, id);
  const details = { chain: chain.chain, address };
  audit({ org_id: caller.org_id, action: "contract.created", subject: { type: "contract", id }, details });
  hint({ topic: "watch.changed" });
  return id;
}

function rowOf(app: App, caller: OrgCaller, id: string, { chain, address, input, origin }: CheckedContract) {
  const now = app.clock.now();
  const hasAbi = input.abi !== undefined;
  return {
    id,
    org_id: caller.org_id,
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    address,
    label: input.label ?? `${address.slice(0, 8)}…${address.slice(-4)}`,
    status: "PENDING" as const,
    status_reason: null,
    implementation_address: null,
    is_verified: null,
    abi: hasAbi ? JSON.stringify(input.abi) : null,
    abi_source: hasAbi ? (origin?.abi_source ?? ("upload" as const)) : ("none" as const),
    last_activity_at: null,
    external_ref: origin?.external_ref ?? null,
    created_by: caller.user_id,
    created_at: now,
    updated_at: now,
  };
}

function placeIssues(
  chain: Chain | undefined,
  address: string | undefined,
  loc: (string | number)[],
): Issue[] {
  return [
    ...(chain ? [] : [{ loc: [...loc, "chain"], msg: "is not a chain that runs here", type: "value_error" }]),
    ...(address
      ? []
      : [{ loc: [...loc, "address"], msg: "is not an address on this chain", type: "value_error" }]),
  ];
}

export function abiIssues(abi: unknown, loc: (string | number)[] = ["body"]): Issue[] {
  if (abi === undefined) return [];
  const read = readAbi(abi);
  return read.ok ? [] : [{ loc: [...loc, "abi"], msg: read.problem, type: "value_error" }];
}
