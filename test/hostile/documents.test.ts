import { expect, test } from "vitest";
import { operations } from "../../src/http/routes/index.ts";
import { runSize } from "../support/run-size.ts";
import { hostileWorld, maxStandstillMs } from "./world.ts";

/** Valid documents that are accepted: the largest ones in the long run. */
const rules = runSize("HOSTILE_RULES", { short: 500, long: 10_000 });
const rows = runSize("HOSTILE_ROWS", { short: 100, long: 2_500 });

const { send } = await hostileWorld();
const operation = (id: string) => operations.find((one) => one.id === id) ?? expect.fail(id);
const address = (n: number) => `0x${(n + 1).toString(16).padStart(40, "0")}`;

async function post(id: string, document: object, search = "") {
  const reply = await send(operation(id), { payload: Buffer.from(JSON.stringify(document)), search });
  return { ...reply, body: JSON.parse(reply.text) as Record<string, unknown> };
}

/** A configuration with rules spread over targets of one contract. */
function configuration(nameOf: (n: number) => string) {
  const perTarget = 500;
  const rule = (n: number) => ({
    name: nameOf(n),
    severity: "warning",
    record_only: true,
    condition: { operator: "gt", threshold: n },
  });
  const targets = Array.from({ length: Math.ceil(rules / perTarget) }, (_, at) => ({
    target_type: "large_transfer",
    name: `Transfers ${at}`,
    config: { token: address(at), decimals: 18, min_amount: 1 },
    rules: Array.from({ length: perTarget }, (_, n) => rule(at * perTarget + n)),
  }));
  return { version: 1, contracts: [{ chain: "local", address: address(1), targets }] };
}

test("a large configuration is planned, applied and found unchanged without blocking the event loop", async () => {
  const document = configuration((n) => `Rule ${n}`);
  for (const [search, summary] of [
    ["?dry_run=true", { create: expect.any(Number), update: 0 }],
    ["", { create: expect.any(Number), update: 0 }],
    ["?dry_run=true", { create: 0, update: 0 }],
  ] as const) {
    const { status, body, cpuMs, text } = await post("applyConfig", document, search);
    expect([status, body.summary], text.slice(0, 300)).toMatchObject([200, summary]);
    expect(cpuMs, `apply${search}`).toBeLessThan(maxStandstillMs);
  }
  // The same name everywhere: each rule of the document could be each of the existing ones.
  const renamed = await post(
    "applyConfig",
    configuration(() => "Rule 7"),
    "?dry_run=true",
  );
  expect(renamed.cpuMs, "apply with one name").toBeLessThan(maxStandstillMs);
  for (const id of ["exportConfig", "listAlertRules"]) {
    const { status, cpuMs } = await send(operation(id), {});
    expect(status).toBe(200);
    expect(cpuMs, id).toBeLessThan(maxStandstillMs);
  }
});

test("a large list of contracts is imported without blocking the event loop", async () => {
  const contracts = Array.from({ length: rows }, (_, n) => ({
    chain: "local",
    address: address(10_000 + n),
    label: `Contract ${n}`,
    labels: ["treasury", `group:${n % 7}`],
    targets: ["tx_rate", "native_balance"],
  }));
  for (const status of ["imported", "skipped"]) {
    const { body, cpuMs } = await post("bulkImportContracts", { contracts });
    expect(body).toMatchObject({ [status]: rows });
    expect(cpuMs, status).toBeLessThan(maxStandstillMs);
  }
  const { cpuMs } = await send(operation("listContracts"), {});
  expect(cpuMs, "list").toBeLessThan(maxStandstillMs);
});

test("a large export of Defender is imported without blocking the event loop", async () => {
  const abi = JSON.stringify(
    Array.from({ length: 10 }, (_, n) => ({ type: "event", name: `E${n}`, inputs: [] })),
  );
  const monitors = Array.from({ length: rows }, (_, n) => ({
    monitorId: `m${n}`,
    name: `Monitor ${n}`,
    type: "BLOCK",
    network: "mainnet",
    addressRules: [
      {
        addresses: [address(50_000 + n)],
        abi,
        conditions: [
          { eventConditions: [{ eventSignature: "E1()" }], txConditions: [], functionConditions: [] },
        ],
      },
    ],
    notifyConfig: { notifications: [] },
  }));
  for (const isText of [false, true]) {
    const source = { items: monitors };
    const document = { export: isText ? JSON.stringify(source) : source, dry_run: true };
    const { status, text, cpuMs } = await post("importFromDefender", document);
    expect(status, text.slice(0, 500)).toBe(200);
    expect(cpuMs, isText ? "as text" : "as an object").toBeLessThan(maxStandstillMs);
  }
});

test("contracts whose targets list very many events are imported without blocking the event loop", async () => {
  const events = (of: string) =>
    Array.from({ length: 20 }, (_, n) => `Event${n}(address from${of}, uint256 value)`);
  // More of them do not fit into a body.
  const total = Math.min(1.5 * rows, 600);
  const contracts = Array.from({ length: total }, (_, n) => ({
    ...{ chain: "local", address: address(n + 1_000_000) },
    selected_targets: Array.from({ length: 5 }, (_, at) => ({
      target_type: "rare_event",
      config: { events: events(`${n}_${at}`) },
    })),
  }));
  const { status, body, cpuMs, text } = await post("bulkImportContracts", { contracts }, "?dry_run=true");
  expect([status, body.imported], text.slice(0, 300)).toEqual([200, contracts.length]);
  expect(cpuMs).toBeLessThan(maxStandstillMs);
});
