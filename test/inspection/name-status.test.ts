import type { Abi, Hex } from "viem";
import { expect, test } from "vitest";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { addRule, addTarget } from "../api/contracts/contract-steps.ts";
import type { Deployed } from "../chain/node.ts";
import { sourcifyFound, sourcifyNotFound } from "./service-stubs.ts";
import { makeInspectionWorld } from "./world.ts";

const { node, h, owner, watch, get, sourcify } = await makeInspectionWorld();
const cleared = "Cleared(address indexed account, uint256 removed)";

/** A proxy with verified code, which can be replaced by other verified code. */
async function upgradeable() {
  const boxes = { v1: await node.deploy("BoxV1"), v2: await node.deploy("BoxV2") };
  const proxy = await node.deploy("ERC1967Proxy", boxes.v2.address, boxes.v2.encode("store", [1n]));
  sourcify.respond = (url) => {
    const box = Object.values(boxes).find(({ address }) => url.pathname.endsWith(address));
    return box ? sourcifyFound(box.abi, "Box") : sourcifyNotFound;
  };
  const { id } = await watch(proxy.address);
  await h.runJobs();
  const upgrade = async ({ address, abi }: Deployed) => {
    await node.at(proxy.address, abi).send("upgradeToAndCall", [address, "0x"]);
    await recordImplementation(id, address);
    await h.runJobs();
  };
  return { id, boxes, upgrade };
}

/** Simulates the engine. */
const recordImplementation = (id: string, implementation_address: Hex) =>
  h.app.db.updateTable("contracts").set({ implementation_address }).where("id", "=", id).execute();

const targetsOf = (id: string) => get<Target[]>(`/contracts/${id}/targets`);

test("after an upgrade, a target names the event that the new code does not have, until it has it again", async () => {
  const { id, boxes, upgrade } = await upgradeable();
  await addTarget(owner, id, { target_type: "event_frequency", config: { event_signature: cleared } });
  await upgrade(boxes.v1);
  expect(await targetsOf(id)).toMatchObject([
    {
      status: "error",
      status_reason: expect.stringMatching(
        /^config\.event_signature is not an event of the contract: it has no Cleared\(address,uint256\); /,
      ),
    },
  ]);
  await upgrade(boxes.v2);
  expect(await targetsOf(id)).toMatchObject([{ status: "no_data", status_reason: null }]);
});

test("after an upgrade, a target names the rule that cannot fire, until the rule is gone", async () => {
  const { id, boxes, upgrade } = await upgradeable();
  const target = await addTarget(owner, id, { target_type: "tx_rate" });
  const condition = { operator: "gt", threshold: 1, match: { events: [{ signature: cleared }] } };
  const rule = await addRule(owner, target.id, { name: "Cleared often", condition });
  await upgrade(boxes.v1);
  const reason = expect.stringMatching(
    /^The rule “Cleared often” cannot fire: .*it has no Cleared\(address,uint256\)/,
  );
  expect(await targetsOf(id)).toMatchObject([{ status: "no_data", status_reason: reason }]);
  await owner.client.delete(`/alerts/${rule.id}`);
  expect(await targetsOf(id)).toMatchObject([{ status: "no_data", status_reason: null }]);
});

test("without an ABI, a target names the argument that never resolved, until an ABI has it", async () => {
  sourcify.respond = () => sourcifyNotFound;
  const { address } = await node.deploy("Desk");
  const config = { event_signature: "Settled(uint256,uint256)", arg: "amount" };
  const { id } = await watch(address, { selected_targets: [{ target_type: "event_value", config }] });
  await h.runJobs();
  expect(await targetsOf(id)).toMatchObject([
    { status: "no_data", status_reason: expect.stringMatching(/^amount never resolved: no ABI/) },
  ]);
  const inputs = ["id", "amount"].map((name) => ({ name, type: "uint256", indexed: false }));
  const abi = [{ type: "event", name: "Settled", inputs, anonymous: false }] as Abi;
  expect((await owner.client.patch(`/contracts/${id}`, { abi })).status).toBe(200);
  expect(await targetsOf(id)).toMatchObject([{ status: "no_data", status_reason: null }]);
});

/** An inspected contract of which no ABI is known, with a target that counts an event. */
async function withoutAbi() {
  sourcify.respond = () => sourcifyNotFound;
  const { address } = await node.deploy("Desk");
  const { id } = await watch(address);
  await h.runJobs();
  const config = { event_signature: "Settled(uint256,uint256)" };
  return { id, target: await addTarget(owner, id, { target_type: "event_frequency", config }) };
}

const counted = { operator: "gt", threshold: 1, aggregation: "count", window_seconds: 300 };

test.each([
  [{ condition: { ...counted, group_by: "args.maker" } }, /^The rule “Named” cannot fire: maker never/],
  [
    {
      condition: { ...counted, match: { events: [{ signature: "Settled(uint256)", expression: "id > 1" }] } },
    },
    /^The rule “Named” cannot fire: id never/,
  ],
  [
    { condition: counted, message_template: "By {{args.maker}}" },
    /^The message of the rule “Named” stays incomplete: maker never/,
  ],
])(
  "a rule that is saved with a name that never resolves is named at once, until it is changed: %j",
  async (rule, reason) => {
    const { id, target } = await withoutAbi();
    const { id: rule_id } = await addRule(owner, target.id, { name: "Named", ...rule });
    expect(await targetsOf(id)).toMatchObject([{ status_reason: expect.stringMatching(reason) }]);
    const changed = await owner.client.patch(`/alerts/${rule_id}`, {
      condition: counted,
      message_template: null,
    });
    expect(changed.status).toBe(200);
    expect(await targetsOf(id)).toMatchObject([{ status: "no_data", status_reason: null }]);
  },
);

test("the reply to saving a target reports a name that never resolves, until its config is changed", async () => {
  const { id } = await withoutAbi();
  const event_signature = "Settled(uint256,uint256)";
  const config = { event_signature, arg: "amount" };
  const reply = await owner.client.post(`/contracts/${id}/targets`, { target_type: "event_value", config });
  expect(reply.body).toMatchObject({ status_reason: expect.stringMatching(/^amount never resolved/) });
  const { id: target_id } = reply.body as Target;
  const changed = await owner.client.patch(`/targets/${target_id}`, {
    config: { event_signature, arg: "$1" },
  });
  expect(changed.body).toMatchObject({ status: "no_data", status_reason: null });
});
