import { expect, test } from "vitest";
import { operations } from "../../../src/http/routes/index.ts";
import { discoverWallets } from "../../../src/jobs/discover-wallets.ts";
import {
  makeWorkerPool,
  type WorkerPool,
  WorkLimitExceeded,
} from "../../../src/lib/concurrency/worker-pool.ts";
import { requestBodies } from "../../../src/wire/request-bodies.ts";
import { startDiscovery } from "../../inspection/discovery/discovery-steps.ts";
import { bundledEntry } from "../../support/bundle.ts";
import { harness, type Person } from "../../support/harness.ts";

/** Records which tasks leave the main thread. */
function recordingPool(): WorkerPool & { tasks: string[] } {
  const pool = makeWorkerPool({ maxWaitMs: 60_000, locate: bundledEntry });
  const tasks: string[] = [];
  return {
    ...pool,
    tasks,
    run: (task, owner, input) => {
      tasks.push(task.name);
      return pool.run(task, owner, input);
    },
  };
}

const h = await harness();
const workers = recordingPool();
await h.app.workers.close();
Object.assign(h.app, { workers });
const ada = await h.personOn("enterprise", "ada");

const issuesOf = (body: unknown) =>
  (body as { detail: { loc: unknown[]; msg: string; type: string }[] }).detail;

/** Runs a request and returns its reply with the tasks that left the main thread. */
async function offloaded(work: () => Promise<{ status: number; body: unknown }>) {
  const before = workers.tasks.length;
  const reply = await work();
  return { ...reply, tasks: workers.tasks.slice(before) };
}

const address = (n: number) => `0x${(n + 1).toString(16).padStart(40, "0")}`;
const importing = (person: Person, text: unknown) => () =>
  person.client.post("/contracts/import-from-defender", { export: text, dry_run: true });

test("the body of every operation can be validated in a thread", () => {
  const known = new Set<unknown>(Object.values(requestBodies));
  const unknown = operations.filter(({ body, hook }) => body && !hook && !known.has(body));
  expect(unknown.map(({ id }) => id)).toEqual([]);
});

test("a Defender export is read in a worker thread, whatever its form", async () => {
  const yaml = Array.from({ length: 5_000 }, (_, index) => `k${index}: ${index}`).join("\n");
  expect(await offloaded(importing(ada, yaml))).toMatchObject({
    status: 422,
    tasks: ["validateLargeBody", "readExport"],
  });
  expect(await offloaded(importing(ada, { items: [] }))).toMatchObject({
    status: 422,
    tasks: ["readExport"],
  });
});

test.each([
  ["nested lists", "[".repeat(5_000)],
  ["nested maps", Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  [
    "aliases of aliases",
    ["a: &a [x,x]", "b: &b [*a,*a]", "c: &c [*b,*b]"].concat(Array(20).fill("d: [*c,*c,*c,*c]")).join("\n"),
  ],
  ["a repeated key", "resources:\n  monitors: {}\nresources: {}"],
  ["many anchors", Array.from({ length: 1_000 }, (_, index) => `k${index}: &a${index} {}`).join("\n")],
])("an export of %s is rejected with a reason", async (_, yaml) => {
  const reply = await offloaded(importing(ada, yaml));
  expect(reply.status).toBe(422);
  expect(issuesOf(reply.body)).toMatchObject([{ loc: ["body", "export"] }]);
});

test("CSV is parsed in a worker thread", async () => {
  const csv = `chain,address\n${Array.from({ length: 5_001 }, (_, n) => `local,${address(n)}`).join("\n")}`;
  const reply = await offloaded(() => ada.client.post("/contracts/bulk-import", { csv }));
  expect(reply).toMatchObject({ status: 422, tasks: ["validateLargeBody", "readContractsCsv"] });
  expect(issuesOf(reply.body)).toMatchObject([{ loc: ["body", "csv"], msg: "must have at most 5,000 rows" }]);
});

test("a large ABI is checked in a worker thread, a small one is not", async () => {
  const event = (name: string, count: number) => ({
    type: "event",
    name,
    inputs: Array.from({ length: count }, (_, index) => ({ name: `argument${index}`, type: "uint256" })),
  });
  const create = (n: number, abi: unknown) => () =>
    ada.client.post("/contracts", { chain: "local", address: address(n), abi });
  expect(await offloaded(create(1, [event("Small", 3)]))).toMatchObject({ status: 200, tasks: [] });
  const large = Array.from({ length: 300 }, (_, index) => event(`Large${index}`, 40));
  const tasks = ["validateLargeBody", "findProblemInJson"];
  expect(await offloaded(create(2, large))).toMatchObject({ status: 200, tasks });
  expect(await offloaded(create(4, JSON.stringify(large)))).toMatchObject({ status: 200 });
  const invalid = await offloaded(create(3, [...large, { type: "event", name: "no name!" }]));
  expect(invalid).toMatchObject({ status: 422, tasks });
  expect(issuesOf(invalid.body)).toMatchObject([{ loc: ["body", "abi"], msg: /ABI entry 300/ }]);
});

test("a large body of any operation is parsed and validated in a worker thread, a small one is not", async () => {
  const rules = (count: number) => Array.from({ length: count }, () => ({}));
  const apply = (count: number) => () =>
    ada.client.post("/config/apply?dry_run=true", {
      version: 1,
      contracts: [
        { chain: "local", address: address(7), targets: [{ target_type: "tx_rate", rules: rules(count) }] },
      ],
    });
  expect(await offloaded(apply(200))).toMatchObject({ status: 422, tasks: [] });
  for (const large of [
    { name: "a".repeat(40_000) },
    { name: Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, n])) },
    JSON.stringify({ name: "" }) + " ".repeat(40_000),
  ])
    expect(
      await offloaded(() =>
        ada.client.post("/orgs", large, { headers: { "content-type": "application/json" } }),
      ),
    ).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "name"] }] },
      tasks: ["validateLargeBody"],
    });
  const wide = await offloaded(() =>
    ada.client.post("/config/apply", { version: 1, channels: Array(3_100).fill({}) }),
  );
  expect(wide).toMatchObject({ status: 422, tasks: ["validateLargeBody"] });
  const valid = await offloaded(() =>
    ada.client.post("/contracts/bulk-import", {
      contracts: Array.from({ length: 1_500 }, (_, n) => ({ chain: "local", address: address(1_000 + n) })),
    }),
  );
  expect(valid).toMatchObject({ status: 200, body: { imported: 1_500 }, tasks: ["validateLargeBody"] });
});

test("a body with more than 200,000 values is rejected before it is parsed", async () => {
  const headers = { "content-type": "application/json" };
  const body = (count: number) => `{"export":[${Array(count).fill("1").join(",")}]}`;
  const send = (count: number) =>
    ada.client.post("/contracts/import-from-defender", body(count), { headers });
  const [below, above] = [await send(199_000), await send(200_001)];
  expect(issuesOf(below.body)[0]).toMatchObject({ loc: ["body", "export"] });
  expect(issuesOf(above.body)).toMatchObject([{ loc: ["body"], type: "json_too_long" }]);
});

test("a repeated large request is recognised by its Idempotency-Key", async () => {
  const contracts = Array.from({ length: 1_200 }, (_, n) => ({
    chain: "local",
    address: address(5_000 + n),
  }));
  const headers = { "idempotency-key": "once" };
  const send = (items: unknown[]) =>
    ada.client.post("/contracts/bulk-import", { contracts: items }, { headers });
  expect((await send(contracts)).body).toMatchObject({ imported: 1_200 });
  expect(await send(contracts)).toMatchObject({
    body: { imported: 1_200 },
    headers: { "idempotency-replayed": "true" },
  });
  expect(await send(contracts.slice(1))).toMatchObject({ status: 409 });
});

test("work that exceeds its limit is a 422 that says what to do", async () => {
  const limit = new WorkLimitExceeded("time", 15_000, { cause: undefined });
  const slow = { ...workers, run: () => Promise.reject(limit) };
  Object.assign(h.app, { workers: slow });
  const reply = await importing(ada, "a: b")();
  expect([reply.status, issuesOf(reply.body)]).toEqual([
    422,
    [{ loc: ["body"], msg: "takes more than 15 seconds to process; send less at once", type: "too_complex" }],
  ]);
  Object.assign(h.app, { workers });
});

test("a configuration whose thread is ended at its deadline is a 422 that says what to do, and changes nothing", async () => {
  const person = await h.personOn("enterprise");
  const document = JSON.stringify({
    version: 1,
    contracts: Array.from({ length: 1_000 }, (_, n) => ({ chain: "local", address: address(20_000 + n) })),
  });
  const apply = (type: string, search: string) =>
    person.client.post(`/config/apply${search}`, document, { headers: { "content-type": type } });
  const hurried = {
    ...workers,
    run: ((task, ...rest) => workers.run({ ...task, deadlineMs: 1 }, ...rest)) as WorkerPool["run"],
  };
  Object.assign(h.app, { workers: hurried });
  for (const type of ["application/json", "application/yaml"]) {
    for (const search of ["?dry_run=true", ""]) {
      const reply = await apply(type, search);
      expect([reply.status, issuesOf(reply.body)], `${type}${search}`).toEqual([
        422,
        [
          {
            loc: ["body"],
            msg: "takes more than 0.001 seconds to process; send less at once",
            type: "too_complex",
          },
        ],
      ]);
    }
  }
  Object.assign(h.app, { workers });
  expect((await person.client.get("/contracts")).body).toEqual([]);
  expect(await apply("application/json", "?dry_run=true")).toMatchObject({
    status: 200,
    body: { summary: { create: 1_000 } },
  });
});

/** A configuration of rules of one name on one target. */
function rulesOfOneName(count: number, firstThreshold: number) {
  const rules = Array.from({ length: count }, (_, n) => ({
    ...{ name: "Large", severity: "warning", record_only: true },
    condition: { operator: "gt", threshold: firstThreshold + n },
  }));
  const target = {
    target_type: "large_transfer",
    config: { token: address(9), decimals: 18, min_amount: 1 },
    rules,
  };
  return { version: 1, contracts: [{ chain: "local", address: address(9), targets: [target] }] };
}

test("rules of the same name are compared in a worker thread, as exactly as few of them", async () => {
  const person = await h.personOn("enterprise");
  const apply = (document: object) =>
    offloaded(() => person.client.post("/config/apply?dry_run=false", document));
  expect(await apply(rulesOfOneName(40, 0))).toMatchObject({ status: 200, tasks: [] });
  expect(await apply(rulesOfOneName(40, 1))).toMatchObject({
    status: 200,
    // One threshold is new and one is gone: the others are found by their thresholds.
    body: { summary: { create: 0, update: 1, delete: 0 } },
    tasks: ["matchParts"],
  });
});

test("a configuration that needs too many comparisons is a 422 that says what to do, and changes nothing", async () => {
  const person = await h.personOn("enterprise");
  const apply = (document: object) => person.client.post("/config/apply?dry_run=false", document);
  expect(await apply(rulesOfOneName(500, 0))).toMatchObject({ status: 200 });
  const reply = await apply(rulesOfOneName(500, 1_000));
  expect([reply.status, issuesOf(reply.body)]).toMatchObject([
    422,
    [{ loc: ["body", "contracts"], msg: expect.stringContaining("different names"), type: "too_complex" }],
  ]);
  const unchanged = { summary: { create: 0, update: 0, delete: 0 } };
  expect(await apply(rulesOfOneName(500, 0))).toMatchObject({ status: 200, body: unchanged });
});

test("a large ABI is compiled in a worker thread when a rule is compared with it", async () => {
  const abi = Array.from({ length: 1_000 }, (_, n) => `event Filler${n}(uint256 value)`);
  const created = await ada.client.post("/contracts", { chain: "local", address: address(77), abi });
  const { id: contract_id } = created.body as { id: string };
  const target = await ada.client.post(`/contracts/${contract_id}/targets`, {
    ...{ target_type: "event_value", config: { event_signature: "Filler7(uint256)", arg: "$0" } },
  });
  expect(target.status, JSON.stringify(target.body)).toBe(201);
  expect(workers.tasks).toContain("packAbi");
});

test("discoveries of organisations take turns, and one organisation has at most 20", async () => {
  const [busy, calm] = [await h.person(), await h.person()];
  for (const { org_id } of [busy, calm]) await h.setTier(org_id, "enterprise");
  for (let n = 0; n < 20; n++) await startDiscovery(busy, address(100 + n));
  const sixth = await busy.client.post("/wallet-discoveries", {
    wallet_address: address(150),
    chain_ids: [31337],
  });
  expect([sixth.status, sixth.body, sixth.headers["retry-after"]]).toMatchObject([
    429,
    { code: "org_busy" },
    "15",
  ]);
  h.clock.advance(1);
  const later = await startDiscovery(calm, address(200));
  for (let round = 0; round < 2; round++) await discoverWallets.run(h.app);
  const { body } = await calm.client.get(`/wallet-discoveries/${later.id}`);
  expect(body).not.toMatchObject({ status: "pending" });
});
