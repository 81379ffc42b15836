import { chainOf } from "../../chains/index.ts";
import { findContract } from "../../store/contracts/contracts.ts";
import { listTargets, setSupport } from "../../store/contracts/targets.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";
import { supportOn } from "./target-config.ts";

/**
 * Updates which targets of a contract can be measured, after it was found to be a wallet or to have code. Returns whether any
 * changed.
 */
export async function updateSupport(
  tx: Db,
  { id, org_id }: { id: string; org_id: string },
): Promise<boolean> {
  const contract = await findContract(tx, orgViewer(org_id), id);
  const isWallet = contract?.contract_type === "wallet";
  let hasChanged = false;
  for (const { id: target_id, target_type, config, status_code } of await listTargets(tx, org_id, id)) {
    const support = supportOn(contract && chainOf(contract.chain)?.kind, target_type, config, isWallet);
    if ((support.status_code === "needs_code") === (status_code === "needs_code")) continue;
    await setSupport(tx, org_id, target_id, support);
    hasChanged = true;
  }
  return hasChanged;
}
