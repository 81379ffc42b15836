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
  const found = new Map(
    row.chains.flatMap(({ chain_id, results }) =>
      results.map((one) => [`${chain_id} ${one.address.toLowerCase()}`, one] as const),
    ),
  );
  const checked = addresses.map((wanted) => {
    const one = found.get(`${wanted.chain_id} ${wanted.address.toLowerCase()}`);
    return one
      ? check(findChain, caller, wanted, one)
      : { code: "not_found", message: "This address is not among the results of the discovery." };
  });
  return inTransaction(app, caller, async (tx, effects) => {
    const good = checked.flatMap((one) => ("chain" in one ? [one] : []));
    const { remaining, quotaError } = await remainingContractQuota(tx, caller.org_id);
    const known = await listWatchedAt(tx, caller.org_id, good.map(locationOf));
    const distinct = new Map(good.map((one) => [keyOf(one), one]));
    const missing = [...distinct.values()].filter((one) => !known.has(keyOf(one)));
    const chosen = missing.slice(0, remaining);
    await addContracts({ app, tx, caller, effects }, chosen);
    const overQuota = new Set(missing.slice(remaining).map(keyOf));
    const errors = checked.flatMap((one, index) => {
      const { address, chain_id } = addresses[index] as Requested;
      if (!("chain" in one)) return [{ address, chain_id, ...one }];
      return overQuota.has(keyOf(one))
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
const keyOf = (one: CheckedContract) => `${one.chain.chain} ${one.address}`;
