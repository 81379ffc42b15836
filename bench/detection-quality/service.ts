import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/database.ts";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import { makeServer } from "../../src/http/server.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { withApp } from "../../src/main.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { Tier } from "../../src/wire/primitives.ts";
import type { DetectionChain } from "../../test/detection/chain.ts";
import { createAccount } from "../../test/support/accounts.ts";
import { catchUp } from "../../test/support/catch-up.ts";
import { Client } from "../../test/support/client.ts";

/** The service in this process, with an engine that is advanced block by block and the clock of the chain. */
export type DetectionService = {
  catchUp(): Promise<unknown>;
  /** A new user with an organisation of a tier. */
  client(tier: Tier): Promise<Client>;
};

type Given = { chain: DetectionChain; multicall: string; sourcesUrl: string };

export async function withDetectionService(
  { chain: node, multicall, sourcesUrl }: Given,
  work: (service: DetectionService) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const urls = { SOURCIFY_URL: sourcesUrl, ETHERSCAN_URL: sourcesUrl, SIGNATURES_URL: sourcesUrl };
  const config = parseConfig({ DATA_DIR: folder, LOG_LEVEL: "warn", RPC_LOCAL: node.url, ...urls });
  const log = makeLog("warn");
  const database = await openDatabase(config, log);
  const clock = { now: () => new Date(node.now() * 1000), sleep: systemClock.sleep };
  const chain = { ...(chainOf("local") as Chain), multicall3: multicall } as Chain;
  const reader = makeEvmReader({ chain, urls: [node.url], clock, log });
  try {
    await withApp(config, async (composed) => {
      const app = { ...composed, clock };
      const server = await makeServer(app);
      await server.ready();
      const follower = new Follower(app, chain, reader);
      let people = 0;
      await work({
        catchUp: () => catchUp(follower),
        async client(tier) {
          const client = new Client(server);
          const email = `person${++people}@example.com`;
          const { user, token } = await createAccount(app, { email, name: "Person", ip: client.ip });
          client.cookies.set("access_token", token);
          await changeAnyOrg(app, systemCaller, user.active_org_id as string, { tier });
          return client;
        },
      });
      await follower.stop();
      await server.close();
    });
  } finally {
    await reader.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
