import type { App } from "../../app.ts";
import type { DiscoveredAddress } from "../../discovery/discover.ts";
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
import { inTransaction } from "../transaction.ts";
import { chainWithId, loadDiscovery } from "./discoveries.ts";

type Requested = DiscoveryImport["addresses"][number];

/** Creates contracts from the results of a discovery; existing contracts are skipped. */
export async function importDiscovery(
  app: App,
  caller: OrgCaller,
  id: string,
  { addresses }: DiscoveryImport,
): Promise<DiscoveryImportResult> {
  const findChain = await makeChainFinder(app);
  const row = await loadDiscovery(app.db, caller, id);
  const discoveries = new Map(
    row.chains.flatMap(({ chain_id, results }) =>
      results.map((result) => [`${chain_id} ${result.address.toLowerCase()}`, result] as const),
    ),
  );
  const checked = addresses.map((wanted) => {
    const discovered = discoveries.get(`${wanted.chain_id} ${wanted.address.toLowerCase()}`);
    return discovered
      ? check(findChain, caller, wanted, discovered)
      : { code: "not_found", message: "This address is not among the results of the discovery." };
  });
  return inTransaction(app, caller, async (tx, effects) => {
    const good = checked.flatMap((item) => ("chain" in item ? [item] : []));
    const { remaining, quotaError } = await remainingContractQuota(tx, caller.org_id);
    const watched = await listWatchedAt(tx, caller.org_id, good.map(locationOf));
    const distinct = new Map(good.map((checkedContract) => [keyOf(checkedContract), checkedContract]));
    const missing = [...distinct.values()].filter((checkedContract) => !watched.has(keyOf(checkedContract)));
    const chosen = missing.slice(0, remaining);
    await addContracts({ app, tx, caller, effects }, chosen);
    const overQuota = new Set(missing.slice(remaining).map(keyOf));
    const errors = checked.flatMap((item, index) => {
      const { address, chain_id } = addresses[index] as Requested;
      if (!("chain" in item)) return [{ address, chain_id, ...item }];
      return overQuota.has(keyOf(item))
        ? [{ address, chain_id, code: quotaError.code, message: quotaError.message }]
        : [];
    });
    const imported = chosen.length;
    return { imported, skipped: addresses.length - imported - errors.length, failed: errors.length, errors };
  });
}

function check(
  findChain: Awaited<ReturnType<typeof makeChainFinder>>,
  { tier }: OrgCaller,
  { chain_id, address, enable_suggested_targets }: Requested,
  { name, suggested_targets }: DiscoveredAddress,
): CheckedContract | { code: string; message: string } {
  const { targetsPerContract } = tierLimits[tier];
  const suggested = suggested_targets.map(({ target_type, config }) => ({ target_type, config }));
  // Without a suggestion, the transaction rate at least shows activity.
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

const locationOf = ({ chain, address }: CheckedContract) => ({ chain: chain.chain, address });
const keyOf = (checkedContract: CheckedContract) =>
  `${checkedContract.chain.chain} ${checkedContract.address}`;
