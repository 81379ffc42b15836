import { flushCompileCache } from "node:module";
import { composeApp } from "../../src/app.ts";
import { makeSolanaReader } from "../../src/chains/solana/reader.ts";
import { parseConfig } from "../../src/config.ts";
import type { EnginePoint } from "../../src/faults.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { makeFolderMailer } from "../../src/lib/mail/folder-mailer.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { runPipeline } from "../../src/pipeline/follow/run-pipeline.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";

/** The message of the parent: the database and endpoints to use, and the point at which to die. */
export type EngineOrder = {
  address: Address;
  urls: string[];
  folder: string;
  fault: { point: EnginePoint; hits: number } | undefined;
};

// The engine as the service runs it, in its own process and with injected faults.
process.once("message", (message) => run(message as EngineOrder));
process.once("disconnect", () => process.exit());
// A process that is killed does not write the compile cache at its end.
flushCompileCache();

function run({ address, urls, folder, fault }: EngineOrder): void {
  const config = parseConfig({ DATA_DIR: folder, RPC_SOLANA: urls.join(",") });
  const log = makeLog("silent");
  let hits = 0;
  const app = composeApp({
    config,
    log,
    ...openStore(address, log),
    vault: makeVault(systemRandom.bytes(32), systemRandom),
    mailer: makeFolderMailer({ folder, from: config.mailFrom }),
    faults: {
      hit(point) {
        if (fault?.point === point && ++hits === fault.hits) process.kill(process.pid, "SIGKILL");
      },
    },
  });
  runPipeline(app, (_chain, given) => makeSolanaReader({ urls: given, clock: app.clock, pollMs: 200 }));
}
