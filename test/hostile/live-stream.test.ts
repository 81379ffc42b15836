import { once } from "node:events";
import http from "node:http";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { makeLiveUpdates } from "../../src/http/stream/live-updates.ts";
import { OrgFeed } from "../../src/http/stream/org-feed.ts";
import { Subscriber } from "../../src/http/stream/subscriber.ts";
import { sequenceStream } from "../../src/jobs/sequence-stream.ts";
import { orgViewer } from "../../src/store/viewer.ts";
import { addContractWithRule, recordEvent } from "../api/contracts/contract-steps.ts";
import { teamAdmin } from "../api/steps.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { measureStandstill } from "./loop-probe.ts";
import { maxStandstillMs } from "./world.ts";

const h = await harness();
const streams = runSize("STREAMS", { short: 100, long: 500 });

const sockets = http.createServer();
await once(sockets.listen(0, "127.0.0.1"), "listening");
const address = sockets.address() as { port: number };
afterAll(() => void sockets.closeAllConnections());
afterAll(() => void sockets.close());

/** A stream of a feed, and how many events of a type its client has received, if it reads. */
async function openStream(feed: OrgFeed, { isReading }: { isReading: boolean }) {
  let text = "";
  const responding = once(sockets, "request") as Promise<[http.IncomingMessage, http.ServerResponse]>;
  const request = http.get({ port: address.port, host: "127.0.0.1", agent: false });
  request.on("error", () => undefined);
  request.on("response", (reply) => {
    reply.on("error", () => undefined);
    if (isReading)
      reply.on("data", (chunk) => {
        text += chunk;
      });
  });
  const [, response] = await responding;
  response.writeHead(200).flushHeaders();
  const holder = { kind: "api_key" as const, key_id: crypto.randomUUID() };
  const subscriber = new Subscriber(response, orgViewer(feed.org_id), holder);
  await feed.join(subscriber, undefined, {});
  return { subscriber, count: (event: string) => text.split(`event: ${event}\n`).length - 1 };
}

async function crowd() {
  const admin = await teamAdmin(h);
  const about = await addContractWithRule(admin);
  await sequenceStream.run(h.app);
  const feed = new OrgFeed(h.app, admin.org_id);
  for (let count = 0; count < streams; count++) await openStream(feed, { isReading: false });
  return { admin, about, feed, reader: await openStream(feed, { isReading: true }) };
}

test("the readings of a thousand targets reach a client that reads, and do not block the process with many others", async () => {
  const { admin, about, feed, reader } = await crowd();
  await sql`
    insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, last_value, last_value_at,
      created_at, updated_at)
    select gen_random_uuid(), ${admin.org_id}, ${about.contract.id}, 'view_function', 'x', '{}', false, 1,
      ${h.clock.now()}::timestamptz + interval '1 second', now(), now()
    from generate_series(1, 1000)`.execute(h.app.db);
  const { metrics } = makeLiveUpdates(h.app);
  const { cpuMs } = await measureStandstill(() => metrics(feed));
  expect(cpuMs).toBeLessThan(maxStandstillMs);
  await expect.poll(() => reader.count("metric")).toBe(1_000);
});

test("a hundred large alerts reach a client that reads, and do not block the process with many others", async () => {
  const { admin, about, feed, reader } = await crowd();
  for (let n = 0; n < 100; n++) await recordEvent(h, admin.org_id, about);
  const explanation = JSON.stringify({ decoded: { name: "Large", args: { text: "x".repeat(64_000) } } });
  await sql`update alert_events set explanation = ${explanation}::jsonb where org_id = ${admin.org_id}`.execute(
    h.app.db,
  );
  await sequenceStream.run(h.app);
  const { cpuMs } = await measureStandstill(() => feed.pump());
  expect(cpuMs).toBeLessThan(maxStandstillMs);
  expect(reader.subscriber.isOpen).toBe(true);
  await expect.poll(() => reader.count("alert.fired")).toBe(100);
});
