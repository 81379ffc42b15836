import { expect } from "vitest";
import { fanOutFew } from "../../../src/delivery/fan-out.ts";
import { atLeast, emits, makeWorld, tokenAddress, transfers } from "../../pipeline/world.ts";
import { harness } from "../../support/harness.ts";
import { account, readPaths } from "./account.ts";
import { type DatabaseFile, dumpDatabase } from "./database-file.ts";

/** Fills a database through the API and the engine with some of everything, and describes it. */
export async function makeDatabaseFile(): Promise<DatabaseFile> {
  const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
  const world = await makeWorld({ harness: h, startedAt: Math.floor(h.clock.now().getTime() / 1000) - 120 });
  const client = h.anonymous();
  const post = async <Made>(path: string, body: object): Promise<Made> => {
    const reply = await client.post(path, body);
    expect([path, reply.status, reply.status < 300 ? "" : reply.text]).toEqual([path, reply.status, ""]);
    return reply.body as Made;
  };
  const { active_org_id } = await post<{ active_org_id: string }>("/auth/signup", {
    ...account,
    name: "Ada",
  });
  await h.setTier(active_org_id, "enterprise");
  const channel = await post<{ id: string }>("/channels", {
    type: "webhook",
    name: "On-call",
    config: { url: "https://hooks.example.com/on-call" },
  });
  const contract = await post<{ id: string }>("/contracts", {
    ...{ chain: "local", address: tokenAddress, label: "Treasury token" },
    selected_targets: [transfers, { target_type: "native_balance" }],
  });
  await post(`/contracts/${contract.id}/labels`, { value: "production" });
  const targets = (await client.get(`/contracts/${contract.id}/targets`)).body as {
    id: string;
    target_type: string;
  }[];
  const target_id = targets.find(({ target_type }) => target_type === "event_frequency")?.id;
  const rule = { target_id, severity: "critical", channel_ids: [channel.id] };
  await post("/alerts", { ...rule, name: "Any transfer", condition: { ...atLeast(1), aggregation: "each" } });
  await post("/alerts", { ...rule, name: "Many transfers", condition: atLeast(2, 600) });
  await post("/silences", {
    ...{ severity: "info", reason: "Planned upgrade" },
    ends_at: new Date(h.clock.now().getTime() + 3_600_000).toISOString(),
  });
  await post("/api-keys", { name: "CI", scope: "read_only" });
  await post(`/orgs/${active_org_id}/invites`, { email: "grace@example.com", role: "member" });
  await world.catchUp();
  for (const amount of [5, 7, 9]) {
    world.chain.mine([emits(amount)]);
    await world.catchUp();
  }
  while ((await fanOutFew(h.app)).hasMore);
  await h.runJobs();
  const replies: DatabaseFile["replies"] = {};
  for (const path of readPaths(contract.id)) replies[path] = (await client.get(path)).body;
  return { ...(await dumpDatabase(h.app.db)), at: h.clock.now().toISOString(), replies };
}
