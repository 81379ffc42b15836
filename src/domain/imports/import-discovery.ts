import type { App } from "../../app.ts";
import type { Discovered } from "../../discovery/discover.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import { listWatchedAt } from "../../store/contracts/contracts.ts";
import { tierLimits } from "../../tiers.ts";
import type { DiscoveryImport, DiscoveryImportResult } from "../../wire/imports/discoveries.ts";
import type { OrgCaller } from "../caller.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import {
  addContracts,
  type CheckedContract,
  checkContract,
  remainingContractQuota,
} from "../contracts/new-contract.ts";
import { write } from "../transaction.ts";
import { chainWithId, loadDiscovery } from "./discoveries.ts";

type Wanted = DiscoveryImport["addresses"][number];

/** Watches some of what a discovery found; what is watched already is passed over. */
export async function importDiscovery(
  app: App,
  caller: OrgCaller,
  id: string,
  { addresses }: DiscoveryImport,
): Promise<DiscoveryImportResult> {
  const findChain = await makeChainFinder(app);
  const row = await loadDiscovery(app.db, caller, id);
  const found = new Map(
    row.chains.flatMap(({ chain_id, results }) =>
      results.map((one) => [`${chain_id} ${one.address.toLowerCase()}`, one] as const),
    ),
  );
  const checked = addresses.map((wanted) => {
    const one = found.get(`${wanted.chain_id} ${wanted.address.toLowerCase()}`);
    return one
      ? check(findChain, caller, wanted, one)
      : { code: "not_found", message: "The discovery did not find this contract." };
  });
  return write(app, caller, async (tx, effects) => {
    const good = checked.flatMap((one) => ("chain" in one ? [one] : []));
    const { room, refusal } = await remainingContractQuota(tx, caller.org_id);
    const known = await listWatchedAt(tx, caller.org_id, good.map(placeOf));
    const distinct = new Map(good.map((one) => [keyOf(one), one]));
    const missing = [...distinct.values()].filter((one) => !known.has(keyOf(one)));
    const chosen = missing.slice(0, room);
    await addContracts(app, tx, caller, chosen, effects);
    const tooMany = new Set(missing.slice(room).map(keyOf));
    const errors = checked.flatMap((one, index) => {
      const { address, chain_id } = addresses[index] as Wanted;
      if (!("chain" in one)) return [{ address, chain_id, ...one }];
      return tooMany.has(keyOf(one))
        ? [{ address, chain_id, code: refusal.code, message: refusal.message }]
        : [];
    });
    const imported = chosen.length;
    return { imported, skipped: addresses.length - imported - errors.length, failed: errors.length, errors };
  });
}

function check(
  findChain: Awaited<ReturnType<typeof makeChainFinder>>,
  { tier }: OrgCaller,
  { chain_id, address, enable_suggested_targets }: Wanted,
  { name, suggested_targets }: Discovered,
): CheckedContract | { code: string; message: string } {
  const { targetsPerContract } = tierLimits[tier];
  const suggested = suggested_targets.map(({ target_type, config }) => ({ target_type, config }));
  // Where nothing is known to suit, that something happens at all is worth knowing.
  const targets = suggested.length > 0 ? suggested : [{ target_type: "tx_rate", config: {} }];
  try {
    return checkContract(findChain, {
      chain: chainWithId(chain_id)?.chain ?? "",
      address,
      ...(name && { label: name.slice(0, 100) }),
      ...(enable_suggested_targets && {
        selected_targets: targets
          .filter(({ target_type }) => meterOf(target_type))
          .slice(0, targetsPerContract),
      }),
    });
  } catch (error) {
    if (error instanceof InvalidRequest) return { code: "invalid_item", message: error.message };
    throw error;
  }
}

const placeOf = ({ chain, address }: CheckedContract) => ({ chain: chain.chain, address });
const keyOf = (one: CheckedContract) => `${one.chain.chain} ${one.address}`;
