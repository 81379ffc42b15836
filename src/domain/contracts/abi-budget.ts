import { AppError } from "../../errors/app-error.ts";
import { sumAbiBytes, sumAbiBytesWith } from "../../store/contracts/contracts.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";

const megabyte = 1024 * 1024;
/** A thousand large ABIs. The engine keeps them in memory, where they need several times as much. */
const maxAbiMegabytes = 64;

/**
 * Returns why an ABI that an inspection found cannot be stored, if it cannot. Nobody waits for an answer, so the ABI is left
 * out; the transaction holds the lock of the org from here on.
 */
export async function findAbiExcess(
  tx: Db,
  { org_id, id }: { org_id: string; id: string },
  abi: unknown,
): Promise<string | undefined> {
  await lockOrg(tx, org_id);
  const bytes = await sumAbiBytesWith(tx, org_id, id, abi);
  const isWithin = bytes <= Math.max(maxAbiMegabytes * megabyte, await sumAbiBytes(tx, org_id));
  return isWithin ? undefined : describeExcess(bytes);
}

/** Replaces an ABI of the org within its limit. */
export async function replaceAbi(tx: Db, org_id: string, write: () => Promise<void>): Promise<void> {
  await lockOrg(tx, org_id);
  const bytesBefore = await sumAbiBytes(tx, org_id);
  await write();
  await requireAbiBudget(tx, org_id, bytesBefore);
}

/**
 * Rejects a transaction after which the ABIs of the org are too large together. It must hold the lock of the org, so that
 * concurrent requests cannot exceed the limit. `bytesBefore` lets an org that was above the limit before get smaller.
 */
export async function requireAbiBudget(tx: Db, org_id: string, bytesBefore = 0): Promise<void> {
  const bytes = await sumAbiBytes(tx, org_id);
  if (bytes <= Math.max(maxAbiMegabytes * megabyte, bytesBefore)) return;
  throw new AppError("quota_exceeded", describeExcess(bytes));
}

function describeExcess(bytes: number): string {
  const megabytes = Math.ceil((10 * bytes) / megabyte) / 10;
  return (
    `The different ABIs of an organisation may have ${maxAbiMegabytes} MB together, and would have ${megabytes} MB. ` +
    "Reduce them to the entries that targets and rules use."
  );
}
