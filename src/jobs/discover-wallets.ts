import { runNextDiscovery } from "../domain/imports/run-discovery.ts";
import type { Job } from "./job.ts";

/** Looks for the contracts of wallets that somebody asked about. */
export const discoverWallets: Job = {
  name: "discover-wallets",
  everyMs: 2_000,
  wakeOn: "discovery.queued",
  run: runNextDiscovery,
};
