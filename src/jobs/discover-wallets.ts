import { runNextDiscovery } from "../domain/imports/run-discovery.ts";
import type { Job } from "./job.ts";

/** Runs queued discoveries of the contracts of a wallet. */
export const discoverWallets: Job = {
  name: "discover-wallets",
  everyMs: 2_000,
  wakeOn: "discovery.queued",
  // Each lane serves another org, so that a slow discovery of one delays no other.
  lanes: 4,
  run: runNextDiscovery,
};
