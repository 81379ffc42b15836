import { sql } from "kysely";
import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { AlertTemplate } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { untilLockWait } from "../api/steps.ts";
import { holdAtCommit } from "../support/hold-at-commit.ts";
import { longTest } from "../support/run-size.ts";
import { sourcifyFound, sourcifyNotFound } from "./service-stubs.ts";
import { makeInspectionWorld } from "./world.ts";

const world = await makeInspectionWorld();
const { node, h, watch, get, sourcify } = world;
const reload = (id: string) => get<Contract>(`/contracts/${id}`);

test("the inspection job fills in a new contract, but keeps values set by a user", async () => {
  const box = await node.deploy("BoxV1");
  const token = await node.deploy("Token", 1n);
  const proxy = await node.deploy("ERC1967Proxy", box.address, box.encode("store", [1n]));
  sourcify.respond = (url) =>
    url.pathname.endsWith(box.address) ? sourcifyFound(box.abi, "BoxV1") : sourcifyNotFound;
  const [filled, chosen] = [await watch(proxy.address), await watch(token.address, { abi: [] })];
  expect(filled).toMatchObject({
    category: "other",
    contract_type: "unknown",
    is_proxy: false,
    abi_source: "none",
    is_verified: null,
  });
  await world.owner.client.patch(`/contracts/${chosen.id}`, { category: "dex" });
  await h.runJobs();
  expect(await reload(filled.id)).toMatchObject({
    contract_type: "proxy",
    is_proxy: true,
    implementation_address: box.address,
    is_verified: true,
    abi_source: "registry",
    status: "PENDING",
  });
  expect(await reload(chosen.id)).toMatchObject({
    category: "dex",
    contract_type: "erc20",
    abi_source: "upload",
    is_verified: false,
  });
  const requestCount = sourcify.requests.length;
  h.clock.advance(3_600);
  await h.runJobs();
  expect(sourcify.requests).toHaveLength(requestCount);
});

test("a contract becomes a proxy after a change of its implementation's ABI is committed, so that it is decoded by the new one", async () => {
  const box = await node.deploy("BoxV1");
  const proxy = await node.deploy("ERC1967Proxy", box.address, box.encode("store", [1n]));
  const { id: implementation_id } = await watch(box.address, { abi: [] });
  await h.runJobs();
  const { id } = await watch(proxy.address, { abi: [] });
  const change = await holdAtCommit(h, () =>
    world.owner.client.patch(`/contracts/${implementation_id}`, { abi: box.abi }),
  );
  const inspecting = h.runJobs();
  await untilLockWait(h, inspecting);
  expect(await reload(id)).toMatchObject({ is_proxy: false });
  change.commit();
  expect(await change.reply).toMatchObject({ status: 200 });
  await inspecting;
  expect(await reload(id)).toMatchObject({ is_proxy: true, implementation_address: box.address });
});

test("a contract is inspected again after an upgrade", async () => {
  const [box, next] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const proxy = await node.deploy("ERC1967Proxy", box.address, box.encode("store", [1n]));
  const { id } = await watch(proxy.address);
  sourcify.respond = (url) =>
    url.pathname.endsWith(next.address) ? sourcifyFound(next.abi, "BoxV2") : sourcifyNotFound;
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ is_verified: false, abi_source: "bytecode" });
  await node.at(proxy.address, box.abi).send("upgradeToAndCall", [next.address, "0x"]);
  // Simulates the engine, which records the new implementation.
  await h.app.db
    .updateTable("contracts")
    .set({ implementation_address: next.address })
    .where("id", "=", id)
    .execute();
  await h.runJobs();
  expect(await reload(id)).toMatchObject({
    is_verified: true,
    abi_source: "registry",
    implementation_address: next.address,
  });
});

longTest(
  "an ABI beyond the limit of the org is left out with its reason in the audit log, and stored by a daily inspection when there is room",
  async () => {
    const box = await node.deploy("BoxV1");
    // Contracts with the same ABI count once.
    const abi = [...box.abi, { type: "event" as const, name: "Unlike", inputs: [] }];
    sourcify.respond = () => sourcifyFound(abi, "BoxV1");
    const { id: large } = await watch(await emptyAddress(), { abi: [] });
    const { id } = await watch(box.address, { selected_targets: [{ target_type: "tx_rate" }] });
    const resize = (bytes: number) =>
      sql`update contracts set abi = jsonb_build_array(repeat('x', ${bytes}::int)) where id = ${large}`.execute(
        h.app.db,
      );
    await resize(64 * 1024 * 1024 - 100);
    await h.runJobs();
    expect(await reload(id)).toMatchObject({ status: "MONITORING", is_verified: true, abi_source: "none" });
    const { rows } = await sql<{ reason: string }>`
    select details ->> 'reason' as reason from audit_log
    where action = 'contract.abi_left_out' and subject_id = ${id} and org_id = ${world.owner.org_id}`.execute(
      h.app.db,
    );
    expect(rows).toEqual([{ reason: expect.stringMatching(/may have 64 MB together/) }]);
    await resize(1_000);
    h.clock.advance(86_401);
    await h.runJobs();
    expect(await reload(id)).toMatchObject({ abi_source: "registry" });
  },
);

test("what a contract holds is learned again every day, so that templates apply to what it received", async () => {
  sourcify.respond = () => sourcifyNotFound;
  const [desk, token] = [await node.deploy("Desk"), await node.deploy("Token", 100n)];
  const { id } = await watch(desk.address);
  await h.runJobs();
  const drained = async () => {
    const listed = await get<AlertTemplate[]>(`/contracts/${id}/alert-templates?category=vault`);
    return listed.filter((one) => one.id === "asset_drained");
  };
  expect(await drained()).toMatchObject([{ applicable: false, reason: "The contract holds no tokens." }]);
  await token.send("transfer", [desk.address, 40n]);
  h.clock.advance(3_600);
  await h.runJobs();
  expect(await drained()).toMatchObject([{ applicable: false }]);
  h.clock.advance(24 * 3_600);
  await h.runJobs();
  expect(await drained()).toMatchObject([{ applicable: true, subject: token.address }]);
});

/** An address at which nothing is deployed. */
async function emptyAddress(): Promise<Hex> {
  const { address } = await node.deploy("Desk");
  return address.replace(/.$/, (digit) => (digit === "1" ? "2" : "1")).toLowerCase() as Hex;
}

async function targetsOf(id: string) {
  const targets = (await world.owner.client.get(`/contracts/${id}/targets`)).body as Target[];
  return Object.fromEntries(
    targets.map(({ target_type, status, status_reason }) => [target_type, [status, status_reason]]),
  );
}

test("an address without code is a wallet: it is monitored, except by targets that need code", async () => {
  const selected_targets = [{ target_type: "native_balance" }, { target_type: "pause_state" }];
  const { id } = await watch(await emptyAddress(), { selected_targets });
  await h.runJobs();
  expect(await reload(id)).toMatchObject({
    ...{ status: "MONITORING", status_code: null, contract_type: "wallet", category: "wallet" },
  });
  expect(await targetsOf(id)).toEqual({
    native_balance: ["no_data", null],
    pause_state: ["unsupported", "There is no code at this address: a wallet has no pause state."],
  });
  const added = await world.owner.client.post(`/contracts/${id}/targets`, {
    target_type: "ownership_change",
  });
  expect(added.body).toMatchObject({ status: "unsupported" });
});

test("a wallet with only targets that need code says that none can be measured, and its org is notified once", async () => {
  const { id } = await watch(await emptyAddress(), { selected_targets: [{ target_type: "pause_state" }] });
  await h.runJobs();
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ status: "MONITORING", status_code: "unsupported_targets" });
  const events = (await world.owner.client.get("/alerts/history", { query: { contract_id: id } })).body;
  expect(events).toMatchObject([
    { kind: "error", severity: "warning", title: expect.stringContaining("not monitored") },
  ]);
});

test("a wallet at which code is deployed later becomes a contract, and its targets are measured", async () => {
  const later = await emptyAddress();
  const { id } = await watch(later, { selected_targets: [{ target_type: "pause_state" }] });
  const paused = await watch(`0x${"7".repeat(40)}`);
  await world.owner.client.post(`/contracts/${paused.id}/pause`);
  await h.runJobs();
  await node.client.setCode({ address: later, bytecode: "0x00" });
  h.clock.advance(30);
  await h.runJobs();
  expect(await reload(id)).toMatchObject({
    status: "MONITORING",
    status_code: null,
    contract_type: "unknown",
  });
  expect(await targetsOf(id)).toMatchObject({ pause_state: ["no_data", null] });
  expect((await reload(paused.id)).status).toBe("PAUSED");
});

test("code that disappears is an error and a critical alert, until it is back", async () => {
  const { address } = await node.deploy("Desk");
  const { id } = await watch(address, { selected_targets: [{ target_type: "tx_rate" }] });
  await h.runJobs();
  const code = (await node.client.getCode({ address })) as Hex;
  await node.client.setCode({ address, bytecode: "0x" });
  h.clock.advance(86_400);
  await h.runJobs();
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ status: "ERROR", status_code: "no_code" });
  const history = () => world.owner.client.get("/alerts/history", { query: { contract_id: id } });
  expect((await history()).body).toMatchObject([{ kind: "error", severity: "critical", status: "firing" }]);
  await node.client.setCode({ address, bytecode: code });
  h.clock.advance(86_400);
  await h.runJobs();
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ status: "MONITORING", status_code: null });
  expect((await history()).body).toMatchObject([{ status: "resolved" }]);
});
