import { fastify } from "fastify";
import type { Config } from "../src/config.ts";
import { joinDatabase } from "../src/database.ts";
import { toContract } from "../src/domain/contracts/contracts.ts";
import { makeLog } from "../src/lib/log/log.ts";
import { hashToken } from "../src/lib/secrets/tokens.ts";
import { findSession } from "../src/store/accounts/sessions.ts";
import { listContracts } from "../src/store/contracts/contracts.ts";
import { openStore } from "../src/store/open-store.ts";
import { listOrgsOf } from "../src/store/orgs/orgs.ts";
import { orgViewer } from "../src/store/viewer.ts";

/** The same framework on the same database with two routes: the queries and payloads of GET /orgs and GET /contracts. */
export async function serveBare(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const log = makeLog("silent");
  const database = await joinDatabase(config, log);
  const store = openStore(database.address, log);
  const server = fastify();
  server.get("/orgs", async (context, reply) => {
    const token = /access_token=([^;]+)/.exec(context.headers.cookie ?? "")?.[1] ?? "";
    const now = new Date();
    const session = await findSession(store.pool, hashToken(token), now, new Date(0));
    const rows = await listOrgsOf(store.db, session?.user_id ?? "");
    const orgs = rows.map(({ id, name, tier, role, created_at }) => ({
      id,
      name,
      tier,
      role,
      created_at: created_at.toISOString(),
    }));
    return reply.header("content-type", "application/json; charset=utf-8").send(JSON.stringify(orgs));
  });
  let org_id: string | undefined;
  server.get("/contracts", async (_request, reply) => {
    org_id ??= (await store.db.selectFrom("orgs").select("id").executeTakeFirstOrThrow()).id;
    const rows = await listContracts(store.db, orgViewer(org_id));
    const body = JSON.stringify(rows.map(toContract));
    return reply.header("content-type", "application/json; charset=utf-8").send(body);
  });
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  const close = async () => {
    await server.close();
    await store.close();
    await database.close();
  };
  return { url, close };
}
