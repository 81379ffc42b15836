import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
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

test("an address without code has status ERROR until code is deployed, and a paused contract stays PAUSED", async () => {
  const later = (await node.deploy("Desk")).address
    .replace(/.$/, (digit) => (digit === "1" ? "2" : "1"))
    .toLowerCase() as Hex;
  const { id } = await watch(later, { selected_targets: [{ target_type: "tx_rate" }] });
  const paused = await watch(`0x${"7".repeat(40)}`);
  await world.owner.client.post(`/contracts/${paused.id}/pause`);
  await h.runJobs();
  expect(await reload(id)).toMatchObject({
    status: "ERROR",
    status_reason: "There is no code at this address.",
  });
  expect((await reload(paused.id)).status).toBe("PAUSED");
  await node.client.setCode({ address: later, bytecode: "0x00" });
  await h.runJobs();
  expect((await reload(id)).status).toBe("ERROR");
  h.clock.advance(30);
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ status: "MONITORING", status_reason: null });
});
