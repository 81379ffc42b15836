import { type App, composeApp } from "../../src/app.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { parseConfig } from "../../src/config.ts";
import type { EnginePoint, Faults } from "../../src/faults.ts";
import { makeLog } from "../../src/lib/log.ts";
import { makeFolderMailer } from "../../src/lib/mail/folder-mailer.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { runPipeline } from "../../src/pipeline/follow/run-pipeline.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";

/** What the parent wants: where to work, and where to die or fall asleep. */
export type Order = {
  address: Address;
  urls: string[];
  folder: string;
  fault?: { point: EnginePoint; hits: number; signal: "SIGKILL" | "SIGSTOP" } | undefined;
};

/** What the child says: that it is there, that it runs, and each point that it passes. */
export type Word = { is: "loaded" } | { is: "running" } | { is: "at"; point: string };

// The real engine in a process of its own. It waits for an order, so that loading it costs the test little.
process.once("message", (order) => run(order as Order));
process.once("disconnect", () => process.exit());
say({ is: "loaded" });

function run(order: Order): void {
  const app = makeApp(order);
  const pipeline = runPipeline(app, (chain, urls) => makeEvmReader({ chain, urls, clock: app.clock }));
  // Any further message is the wish that it stop in good order.
  process.once("message", async () => {
    await pipeline.stop();
    process.exit();
  });
  say({ is: "running" });
}

/** As the service composes it, but for the faults. */
function makeApp({ address, urls, folder, fault }: Order): App {
  const config = parseConfig({ DATA_DIR: folder, RPC_LOCAL: urls.join(",") });
  const log = makeLog("error");
  return composeApp({
    config,
    log,
    ...openStore(address, log),
    vault: makeVault(systemRandom.bytes(32), systemRandom),
    mailer: makeFolderMailer({ folder, from: config.mailFrom }),
    faults: makeFaults(fault),
  });
}

function makeFaults(fault: Order["fault"]): Faults {
  let hits = 0;
  return {
    hit(point) {
      say({ is: "at", point });
      if (fault?.point === point && ++hits === fault.hits) process.kill(process.pid, fault.signal);
    },
  };
}

function say(word: Word): void {
  process.send?.(word);
}
