import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../src/config.ts";
import { systemCaller } from "../src/domain/caller.ts";
import { changeAnyOrg } from "../src/domain/orgs/platform.ts";
import { startService, withApp } from "../src/main.ts";
import { signIn } from "./streams/streams.ts";

const monitors = Number(process.env.BENCH_MONITORS ?? 1_000);

/** Imports many Defender monitors: a dry run, the import, and a repeat. */
export async function benchImports(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const env = {
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "warn",
    ROLES: "api",
    RPC_ETHEREUM: "http://127.0.0.1:1",
  };
  const config = parseConfig(env);
  const service = await startService(config);
  try {
    const { send, org_id } = await signIn(service.url);
    await withApp(config, (app) => changeAnyOrg(app, systemCaller, org_id, { tier: "enterprise" }));
    const items = Array.from({ length: monitors }, (_, number) => monitor(number));
    for (const [what, dry_run] of [
      ["dry run", true],
      ["import", false],
      ["repeat", false],
    ] as const) {
      const before = process.memoryUsage().rss;
      const started = performance.now();
      const result = await send("POST", "/contracts/import-from-defender", { export: { items }, dry_run });
      const { imported, skipped } = result as unknown as { imported: number; skipped: number };
      const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      console.log(
        `${what}: ${seconds} s, ${imported} imported, ${skipped} skipped, ${grown.toFixed(0)} MiB more resident`,
      );
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function monitor(number: number) {
  return {
    monitorId: `monitor-${number}`,
    type: "BLOCK",
    name: `Monitor ${number}`,
    network: "mainnet",
    addressRules: [
      {
        addresses: [`0x${(number + 1).toString(16).padStart(40, "0")}`],
        conditions: [
          {
            eventConditions: [
              { eventSignature: "Transfer(address,address,uint256)", expression: "value > 1000" },
            ],
            txConditions: [{ status: "any", expression: "gasPrice > 0" }],
            functionConditions: [],
          },
        ],
      },
    ],
    notifyConfig: {
      notifications: [
        { notificationId: "a", type: "email", name: "Ops", config: { emails: ["ops@example.com"] } },
      ],
    },
  };
}
