import { flushCompileCache } from "node:module";
import { composeApp } from "../../../src/app.ts";
import { parseConfig } from "../../../src/config.ts";
import type { FaultPoint } from "../../../src/faults.ts";
import { applyPoliciesJob } from "../../../src/jobs/apply-policies.ts";
import { runJobs } from "../../../src/jobs/runner.ts";
import { makeLog } from "../../../src/lib/log/log.ts";
import { makeFolderMailer } from "../../../src/lib/mail/folder-mailer.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { makeVault } from "../../../src/lib/secrets/vault.ts";
import { type Address, openStore } from "../../../src/store/open-store.ts";

/** The parent's order: the database, and the fault point to die at. */
export type Order = {
  address: Address;
  folder: string;
  death?: { point: FaultPoint; hits: number } | undefined;
};

// The job in a process of its own, which kills itself as ordered. Any further message requests a graceful stop.
process.once("message", (order) => run(order as Order));
process.once("disconnect", () => process.exit());
// A process that is killed does not write the compile cache at its end.
flushCompileCache();

function run({ address, folder, death }: Order): void {
  const config = parseConfig({ DATA_DIR: folder });
  const log = makeLog("error");
  const { db, pool } = openStore(address, log);
  let hits = 0;
  const app = composeApp({
    ...{ config, log, db, pool, vault: makeVault(systemRandom.bytes(32), systemRandom) },
    mailer: makeFolderMailer({ folder, from: config.mailFrom }),
    faults: {
      hit(point) {
        if (death?.point === point && ++hits === death.hits) process.kill(process.pid, "SIGKILL");
      },
    },
  });
  const jobs = runJobs(app, [applyPoliciesJob]);
  process.once("message", async () => {
    await jobs.stop();
    process.exit();
  });
}
