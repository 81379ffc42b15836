import type { Hex } from "viem";
import { expect } from "vitest";
import { startNode } from "../chain/node.ts";
import { Sink } from "../delivery/sink.ts";
import { cloneDatabase, databaseUrl } from "../support/database.ts";
import { longTest } from "../support/run-size.ts";
import { makeDataFolder, serve } from "./service.ts";

const account = { email: "ada@example.com", password: "correct horse battery staple" };

longTest(
  "processes with different ROLES on one database bring a transaction to its webhook, and it needs each of them",
  async () => {
    const [node, sink, database] = await Promise.all([startNode(), Sink.start(), cloneDatabase()]);
    const env = {
      DATABASE_URL: databaseUrl(database),
      SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      RPC_LOCAL: node.url,
      OUTBOUND_ALLOW: "127.0.0.0/8",
    };
    // Each has a folder of its own, as on a machine of its own.
    const settings = async (ROLES: string) => ({
      ...env,
      ROLES,
      DATA_DIR: await makeDataFolder({ isInitialised: false }),
    });
    const [api, ingest] = await Promise.all([serve(await settings("api")), serve(await settings("ingest"))]);
    const headers: Record<string, string> = { "content-type": "application/json", origin: api.url };
    const call = async (path: string, body?: object) => {
      const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
      const reply = await fetch(`${api.url}/api/v1${path}`, init);
      headers.cookie ??= reply.headers
        .getSetCookie()
        .map((one) => one.split(";")[0])
        .join("; ");
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
      return (await reply.json()) as { id: string };
    };
    await call("/auth/signup", account);
    // A chain is followed from the block at which it was first read.
    const chains = async () => JSON.stringify(await call("/chains"));
    await expect.poll(chains).toMatch(/"chain":"local"[^}]*"last_block_at":"/);
    const token = await node.deploy("Token", 1_000n);
    const contract = await call("/contracts", {
      chain: "local",
      address: token.address,
      selected_targets: [{ target_type: "tx_rate" }],
    });
    const targets = (await call(`/contracts/${contract.id}/targets`)) as unknown as { id: string }[];
    const channel = { type: "webhook", name: "On-call", config: { url: sink.url() } };
    const { id: channel_id } = await call("/channels", channel);
    const condition = { operator: "gte", threshold: 1, window_seconds: 3600 };
    const target_id = targets[0]?.id;
    await call("/alerts", { target_id, channel_id, severity: "critical", condition });

    const { transactionHash } = await token.send("transfer", [node.accounts[1] as Hex, 1n]);
    const history = async () => JSON.stringify(await call("/alerts/history"));
    await expect.poll(history).toContain(transactionHash);
    // The alert is recorded, and no process has the role to send it.
    expect(sink.received).toEqual([]);
    const deliver = await serve(await settings("deliver,jobs"));
    await expect
      .poll(() => sink.received.map(({ body }) => JSON.stringify(body)).join())
      .toContain(transactionHash);
    expect(sink.received).toHaveLength(1);
    // The others answer only probes.
    for (const { url } of [ingest, deliver]) {
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect((await fetch(`${url}/api/v1/auth/me`, { headers })).status).toBe(404);
    }
  },
);
