import { flushCompileCache } from "node:module";
import { type App, composeApp } from "../../src/app.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { parseConfig } from "../../src/config.ts";
import type { EnginePoint, Faults } from "../../src/faults.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { makeFolderMailer } from "../../src/lib/mail/folder-mailer.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { runPipeline } from "../../src/pipeline/follow/run-pipeline.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";

/** The parent's order: the database and endpoints, and the fault point to die or sleep at. */
export type Order = {
  address: Address;
  chain: string;
  urls: string[];
  folder: string;
  fault?: { point: EnginePoint; hits: number; signal: "SIGKILL" | "SIGSTOP" } | undefined;
};

/** The child's messages: ready, running, and each fault point that it passes. */
export type Word = { is: "loaded" } | { is: "running" } | { is: "at"; point: string };

// The real engine in a separate process. It is started early and waits for an order, which saves its load time.
process.once("message", (order) => run(order as Order));
process.once("disconnect", () => process.exit());
// A process that is killed does not write the compile cache at its end.
flushCompileCache();
say({ is: "loaded" });

function run(order: Order): void {
  const app = makeApp(order);
  const pipeline = runPipeline(app, (chain, urls) => makeEvmReader({ chain, urls, clock: app.clock }));
  // Any further message requests a graceful stop.
  process.once("message", async () => {
    await pipeline.stop();
    process.exit();
  });
  say({ is: "running" });
}

/** Composes the app as the service does, except for faults. */
function makeApp({ address, chain, urls, folder, fault }: Order): App {
  const config = parseConfig({ DATA_DIR: folder, [`RPC_${chain.toUpperCase()}`]: urls.join(",") });
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
