import { AppError } from "../../errors/app-error.ts";
import { sumAbiBytes } from "../../store/contracts/contracts.ts";
import type { Db } from "../../store/open-store.ts";

const megabyte = 1024 * 1024;
/** A thousand large ABIs. The engine keeps them in memory, where they need several times as much. */
const maxAbiMegabytes = 64;

/**
 * Rejects a transaction after which the ABIs of the org are too large together. It must hold the lock of the org, so that
 * concurrent requests cannot exceed the limit.
 */
export async function requireAbiBudget(tx: Db, org_id: string): Promise<void> {
  const bytes = await sumAbiBytes(tx, org_id);
  if (bytes <= maxAbiMegabytes * megabyte) return;
  const megabytes = Math.ceil((10 * bytes) / megabyte) / 10;
  const message =
    `The different ABIs of an organisation may have ${maxAbiMegabytes} MB together, and would have ${megabytes} MB. ` +
    "Reduce them to the entries that targets and rules use.";
  throw new AppError("quota_exceeded", message);
}
