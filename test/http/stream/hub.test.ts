import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { type FastifyReply, fastify } from "fastify";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import type { KeyCaller } from "../../../src/domain/caller.ts";
import { toErrorReply } from "../../../src/http/reply/failures.ts";
import { makeHub, streamPace } from "../../../src/http/stream/hub.ts";
import { makeLiveUpdates } from "../../../src/http/stream/live-updates.ts";
import { openStream } from "../../../src/http/stream/open-stream.ts";
import { OrgFeed } from "../../../src/http/stream/org-feed.ts";
import { Subscriber } from "../../../src/http/stream/subscriber.ts";
import { sequenceStream } from "../../../src/jobs/sequence-stream.ts";
import { listReadings } from "../../../src/store/analytics/stream.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { orgViewer, type Viewer } from "../../../src/store/viewer.ts";
import { addContract, addContractWithRule } from "../../api/contracts/contract-steps.ts";
import { teamAdmin } from "../../api/steps.ts";
import { harness } from "../../support/harness.ts";

const h = await harness();

/** A server whose responses stay open. */
const sockets = http.createServer();
await once(sockets.listen(0, "127.0.0.1"), "listening");
const address = sockets.address() as { port: number };
afterAll(() => void sockets.closeAllConnections());
afterAll(() => void sockets.close());

async function makeSubscriber(viewer: Viewer): Promise<{ subscriber: Subscriber; received: () => string }> {
  let text = "";
  const responding = once(sockets, "request") as Promise<[http.IncomingMessage, http.ServerResponse]>;
  const request = http.get({ port: address.port, host: "127.0.0.1", agent: false }, (response) => {
    response.on("data", (chunk) => {
      text += chunk;
    });
    response.on("error", () => undefined);
  });
  request.on("error", () => undefined);
  const [, response] = await responding;
  response.writeHead(200).flushHeaders();
  const holder = { kind: "api_key" as const, key_id: randomUUID() };
  return { subscriber: new Subscriber(response, viewer, holder), received: () => text };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await h.clock.sleep(5);
}

test("a subscriber that joins while the last one leaves gets messages", async () => {
  const admin = await teamAdmin(h);
  const hub = makeHub(h.app, { ...streamPace, pollMs: 20, accessCheckMs: 3_600_000 });
  const [leaving, joining] = [
    await makeSubscriber(orgViewer(admin.org_id)),
    await makeSubscriber(orgViewer(admin.org_id)),
  ];
  await hub.open(leaving.subscriber, undefined);
  const opened = hub.open(joining.subscriber, undefined);
  hub.leave(leaving.subscriber);
  await opened;
  await addContract(admin);
  await sequenceStream.run(h.app);
  await until(() => joining.received().includes("contract.updated"));
  await hub.close();
});

test("a subscriber that leaves while it joins gets no messages", async () => {
  const admin = await teamAdmin(h);
  const hub = makeHub(h.app, { ...streamPace, pollMs: 20, accessCheckMs: 3_600_000 });
  const [staying, gone] = [
    await makeSubscriber(orgViewer(admin.org_id)),
    await makeSubscriber(orgViewer(admin.org_id)),
  ];
  await hub.open(staying.subscriber, undefined);
  const opened = hub.open(gone.subscriber, undefined);
  hub.leave(gone.subscriber);
  await opened;
  await addContract(admin);
  await sequenceStream.run(h.app);
  await until(() => staying.received().includes("contract.updated"));
  expect(gone.received()).not.toContain("contract.updated");
  await hub.close();
});

const caller: KeyCaller = {
  kind: "api_key",
  key_id: randomUUID(),
  name: "Streams",
  user_id: null,
  org_id: randomUUID(),
  tier: "team",
  role: "member",
  scope: "read_only",
  contract_scope: null,
  chain_scope: null,
  context: { request_id: null, ip: null },
};

/** A server that opens a stream after `open` resolves. */
async function serve(open: (reply: FastifyReply) => Promise<void>) {
  const hub = makeHub(h.app);
  const server = fastify();
  server.setErrorHandler((error, _request, reply) => {
    const { status, body } = toErrorReply(error);
    reply.code(status).send(body);
  });
  server.get("/", async (request, reply) => {
    await open(reply);
    await openStream(hub, caller, request, reply);
    return reply;
  });
  return { hub, server, url: await server.listen({ port: 0, host: "127.0.0.1" }) };
}

test("a client that disconnects before its stream opens does not count towards the limit", async () => {
  let arrive: () => void = () => undefined;
  let left = 0;
  const { hub, server, url } = await serve(async ({ raw }) => {
    const gone = once(raw, "close");
    arrive();
    await gone;
    setImmediate(() => left++);
  });
  for (let count = 0; count < 20; count++) {
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const request = http.get(url, { agent: false }).on("error", () => undefined);
    await arrived;
    request.destroy();
  }
  await until(() => left === 20);
  expect(hub.hasCapacityFor({ kind: "api_key", key_id: caller.key_id })).toBe(true);
  await hub.close();
  await server.close();
});

test("a new stream gets 503 once the hub is closed", async () => {
  const { hub, server, url } = await serve(async () => undefined);
  await hub.close();
  const reply = await fetch(url);
  expect([reply.status, await reply.json()]).toMatchObject([503, { code: "unavailable" }]);
  await server.close();
});

test("a stream stays open if its access cannot be checked because the database is unavailable", async () => {
  const admin = await teamAdmin(h);
  const away = openStore({ ...h.address, host: "127.0.0.1", port: 1 }, h.app.log, { max: 1 });
  let warned: () => void = () => undefined;
  const isWarned = new Promise<void>((resolve) => {
    warned = resolve;
  });
  const log = Object.assign(Object.create(h.app.log), { warn: () => warned() });
  const app: App = { ...h.app, log };
  const hub = makeHub(app, { ...streamPace, accessCheckMs: 3_600_000, pollMs: 3_600_000 });
  const one = await makeSubscriber(orgViewer(admin.org_id));
  await hub.open(one.subscriber, undefined);
  Object.assign(app, { db: away.db });
  app.bus.publish({ topic: "keys.changed", org_id: admin.org_id });
  await isWarned;
  expect(one.subscriber.isOpen).toBe(true);
  await hub.close();
  await away.close();
});

test("the newest reading is returned among a thousand targets", async () => {
  const admin = await teamAdmin(h);
  const { target, contract } = await addContractWithRule(admin);
  await sql`
    insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, last_value, last_value_at,
      created_at, updated_at)
    select gen_random_uuid(), ${admin.org_id}, ${contract.id}, 'view_function', 'x', '{}', false, 1,
      ${h.clock.now()}::timestamptz - interval '1 minute', now(), now()
    from generate_series(1, 1000)`.execute(h.app.db);
  await sql`update targets set last_value = 7, last_value_at = ${h.clock.now()} where id = ${target.id}`.execute(
    h.app.db,
  );
  const since = new Date(h.clock.now().getTime() - 3_600_000);
  const readings = await listReadings(h.app.db, admin.org_id, since);
  expect(readings.at(-1)).toMatchObject({ target_id: target.id, value: 7 });
});

test("dashboard counts reach every subscriber, even with 25 different viewers", async () => {
  const admin = await teamAdmin(h);
  const feed = new OrgFeed(h.app, admin.org_id);
  const all: Awaited<ReturnType<typeof makeSubscriber>>[] = [];
  while (all.length < 25)
    all.push(await makeSubscriber({ ...orgViewer(admin.org_id), contract_scope: [randomUUID()] }));
  for (const one of all) {
    await feed.join(one.subscriber, undefined, {});
  }
  const updates = makeLiveUpdates(h.app);
  await updates.stats(feed);
  await updates.stats(feed);
  await until(() => all.every(({ received }) => received().includes("event: stats")));
});
