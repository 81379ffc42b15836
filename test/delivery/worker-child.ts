import { flushCompileCache } from "node:module";
import { type App, composeApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { runDelivery } from "../../src/delivery/run-delivery.ts";
import type { DeliveryPoint, Faults } from "../../src/faults.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { makeFolderMailer } from "../../src/lib/mail/folder-mailer.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";

/** The parent's order: the database, and the fault point to die at. */
export type Order = {
  address: Address;
  key: string;
  folder: string;
  fault?: { point: DeliveryPoint; hits: number } | undefined;
};

// The real worker in a separate process. Any further message requests a graceful stop.
process.once("message", (order) => run(order as Order));
process.once("disconnect", () => process.exit());
// A process that is killed does not write the compile cache at its end.
flushCompileCache();

function run(order: Order): void {
  const delivery = runDelivery(makeApp(order));
  process.once("message", async () => {
    await delivery.stop();
    process.exit();
  });
}

/** Composes the app as the service does, except for faults. */
function makeApp({ address, key, folder, fault }: Order): App {
  const config = parseConfig({ DATA_DIR: folder, OUTBOUND_ALLOW: "127.0.0.0/8" });
  const log = makeLog("error");
  const { db, pool } = openStore(address, log);
  return composeApp({
    config,
    log,
    db,
    pool,
    vault: makeVault(Buffer.from(key, "hex"), systemRandom),
    mailer: makeFolderMailer({ folder, from: config.mailFrom }),
    faults: makeFaults(fault),
  });
}

function makeFaults(fault: Order["fault"]): Faults {
  let hits = 0;
  return {
    hit(point) {
      if (fault?.point === point && ++hits === fault.hits) process.kill(process.pid, "SIGKILL");
    },
  };
}
