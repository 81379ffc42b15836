import { expect, test } from "vitest";
import { meters } from "../../../src/meters/index.ts";
import { tierLimits } from "../../../src/tiers.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import { harness, type Person } from "../../support/harness.ts";
import { errorReply } from "../steps.ts";
import { addContract, addRule, addTarget, freshAddress } from "./contract-steps.ts";

const h = await harness();

type ValidationErrors = { detail: { loc: (string | number)[] }[] };

const transfer = "Transfer(address,address,uint256)";

async function makeContract(): Promise<{ owner: Person; contract: Contract; path: string }> {
  const owner = await h.person();
  const contract = await addContract(owner);
  return { owner, contract, path: `/contracts/${contract.id}/targets` };
}
const statusOf = async (owner: Person, id: string) =>
  ((await owner.client.get(`/contracts/${id}`)).body as Contract).status;
const list = async (owner: Person, path: string) => (await owner.client.get(path)).body as Target[];
const errorFields = (body: unknown) =>
  [...new Set((body as ValidationErrors).detail.map(({ loc }) => loc.join(".")))].sort();

test("a target gets the defaults of its type", async () => {
  const { owner, contract, path } = await makeContract();
  const reply = await owner.client.post(path, { target_type: "tx_rate" });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.any(String),
    contract_id: contract.id,
    policy_id: null,
    target_type: "tx_rate",
    name: "Transactions",
    config: { direction: "to", include_failed: true },
    needs: ["transactions", "receipts"],
    unit: "transactions",
    is_enabled: true,
    status: "no_data",
    status_reason: null,
    last_value: null,
    last_value_exact: null,
    last_value_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(await list(owner, path)).toEqual([reply.body]);
});

/** Single-instance types that need no config. */
const singletons = meters.filter((meter) => meter.instances === "one" && meter.config.safeParse({}).success);

test.each(singletons.map((meter) => meter.type))(
  "creating a second %s target enables and returns the first",
  async (target_type) => {
    const { owner, contract, path } = await makeContract();
    const first = await addTarget(owner, contract.id, { target_type, name: "Mine" });
    await owner.client.patch(`/targets/${first.id}`, { is_enabled: false });
    expect(await statusOf(owner, contract.id)).toBe("PENDING");
    const second = await owner.client.post(path, { target_type });
    expect(second).toMatchObject({ status: 201, body: { id: first.id, name: "Mine", is_enabled: true } });
    expect(await statusOf(owner, contract.id)).toBe("MONITORING");
    expect(await list(owner, path)).toHaveLength(1);
  },
);

test("creating a single-instance target again keeps the existing config", async () => {
  const { owner, contract, path } = await makeContract();
  const config = { direction: "any", include_failed: false };
  await addTarget(owner, contract.id, { target_type: "tx_rate", config });
  expect((await owner.client.post(path, { target_type: "tx_rate" })).body).toMatchObject({ config });
});

test("a second single-instance target with another config is a conflict that names the first", async () => {
  const { owner, contract, path } = await makeContract();
  const config = { direction: "any", include_failed: false };
  const first = await addTarget(owner, contract.id, { target_type: "tx_rate", config });
  const again = await owner.client.post(path, { target_type: "tx_rate", config });
  expect(again).toMatchObject({ status: 201, body: { id: first.id } });
  const other = await owner.client.post(path, { target_type: "tx_rate", config: { direction: "to" } });
  expect(other).toMatchObject(errorReply(409, "target_exists"));
  expect(other.text).toContain(`PATCH /targets/${first.id}`);
  expect(await list(owner, path)).toMatchObject([{ config }]);
});

test("a single-instance target selected several times at creation is created once", async () => {
  const owner = await h.person();
  const selected_targets = Array(6).fill({ target_type: "tx_rate" });
  expect(await addContract(owner, { selected_targets })).toMatchObject({
    targets_count: 1,
    status: "MONITORING",
  });
});

test("a multi-instance target type can be created several times with the same config", async () => {
  const { owner, contract, path } = await makeContract();
  const target = { target_type: "event_frequency", config: { event_signature: transfer } };
  const ids = [await addTarget(owner, contract.id, target), await addTarget(owner, contract.id, target)];
  expect(new Set(ids.map((id) => id.id)).size).toBe(2);
  expect(await list(owner, path)).toHaveLength(2);
});

test("a target of an unknown type is saved with its config and marked as unsupported", async () => {
  const { owner, contract, path } = await makeContract();
  const config = { deeply: { nested: [1, null, "x"] } };
  const body = { target_type: "Moon.phase:v2-x_1", config };
  expect(await addTarget(owner, contract.id, body)).toMatchObject({
    target_type: "Moon.phase:v2-x_1",
    name: "Moon.phase:v2-x_1",
    config,
    unit: null,
    status: "unsupported",
    status_reason: expect.stringMatching(/\.$/),
  });
  await addTarget(owner, contract.id, body);
  expect(await list(owner, path)).toHaveLength(2);
});

test.each(["__proto__", "constructor", "toString", "Taux de transactions (é)"])(
  "the target type %s is unknown",
  async (target_type) => {
    const { owner, contract } = await makeContract();
    expect(await addTarget(owner, contract.id, { target_type })).toMatchObject({ status: "unsupported" });
  },
);

test.each([
  [{ target_type: "" }, ["body.target_type"]],
  [{ target_type: "tx\nrate" }, ["body.target_type"]],
  [{ target_type: "x".repeat(101) }, ["body.target_type"]],
  [{}, ["body.target_type"]],
  [{ target_type: "tx_rate", name: "" }, ["body.name"]],
  [{ target_type: "tx_rate", is_enabled: false }, ["body.is_enabled"]],
  [{ target_type: "tx_rate", config: [] }, ["body.config"]],
  [
    { target_type: "tx_rate", config: { direction: "up", include_failed: "yes", speed: 1 } },
    ["body.config.direction", "body.config.include_failed", "body.config.speed"],
  ],
  [{ target_type: "revert_rate", config: { min_txs: 0 } }, ["body.config.min_txs"]],
  [{ target_type: "native_balance", config: { token: "x" } }, ["body.config.token"]],
  [
    { target_type: "event_frequency", config: { filter: "value >" } },
    ["body.config.event_signature", "body.config.filter"],
  ],
  [
    { target_type: "event_frequency", config: { event_signature: "Transfer(address", filter: "(" } },
    ["body.config.event_signature", "body.config.filter"],
  ],
])("the target %j is rejected with every error at its field", async (body, expected) => {
  const { owner, contract, path } = await makeContract();
  const reply = await owner.client.post(path, body);
  expect([reply.status, errorFields(reply.body)]).toEqual([422, expected]);
  expect(await list(owner, path)).toEqual([]);
  expect(await statusOf(owner, contract.id)).toBe("PENDING");
});

test("a contract is monitored while at least one of its targets is enabled", async () => {
  const { owner, contract } = await makeContract();
  const status = () => statusOf(owner, contract.id);
  const [first, second] = [
    await addTarget(owner, contract.id, { target_type: "tx_rate" }),
    await addTarget(owner, contract.id, { target_type: "revert_rate" }),
  ];
  expect(await status()).toBe("MONITORING");
  await owner.client.patch(`/targets/${first.id}`, { is_enabled: false });
  expect(await status()).toBe("MONITORING");
  await owner.client.delete(`/targets/${second.id}`);
  expect(await status()).toBe("PENDING");
  await owner.client.patch(`/targets/${first.id}`, { is_enabled: true });
  expect(await status()).toBe("MONITORING");
  await owner.client.delete(`/targets/${first.id}`);
  expect(await status()).toBe("PENDING");
});

test("a target update changes the name, config or enabled flag and keeps fields it leaves out", async () => {
  const { owner, contract } = await makeContract();
  const target = await addTarget(owner, contract.id, {
    target_type: "tx_rate",
    config: { direction: "any" },
  });
  h.clock.advance(5);
  const change = async (body: object) =>
    (await owner.client.patch(`/targets/${target.id}`, body)).body as Target;
  const renamed = await change({ name: "Traffic" });
  expect(renamed).toEqual({ ...target, name: "Traffic", updated_at: renamed.updated_at });
  expect(renamed.updated_at > target.updated_at).toBe(true);
  expect(await change({ config: { include_failed: false } })).toMatchObject({
    name: "Traffic",
    config: { direction: "to", include_failed: false },
  });
  expect(await change({ is_enabled: false })).toMatchObject({ is_enabled: false, name: "Traffic" });
});

test.each([
  [{}, ["body"]],
  [{ target_type: "revert_rate" }, ["body.target_type"]],
  [{ name: "x".repeat(101) }, ["body.name"]],
  [{ config: { direction: "up", speed: 1 } }, ["body.config.direction", "body.config.speed"]],
  [{ is_enabled: "no" }, ["body.is_enabled"]],
])("the target update %j gets 422", async (body, expected) => {
  const { owner, contract, path } = await makeContract();
  const target = await addTarget(owner, contract.id);
  const reply = await owner.client.patch(`/targets/${target.id}`, body);
  expect(reply.status).toBe(422);
  expect(errorFields(reply.body)).toEqual(expect.arrayContaining(expected));
  expect(await list(owner, path)).toEqual([target]);
});

test("deleting a target deletes its rules", async () => {
  const { owner, contract } = await makeContract();
  const target = await addTarget(owner, contract.id);
  const rule = await addRule(owner, target.id);
  expect(await owner.client.delete(`/targets/${target.id}`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(await owner.client.get(`/alerts/${rule.id}`)).toMatchObject(errorReply(404, "not_found"));
  expect(await owner.client.delete(`/targets/${target.id}`)).toMatchObject(errorReply(404, "not_found"));
});

const custom = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ target_type: `custom_${index}` }));

test.each(["free", "pro", "team", "enterprise"] as const)(
  "the %s tier limits the targets of a contract",
  async (tier) => {
    const owner = await h.personOn(tier);
    const quota = tierLimits[tier].targetsPerContract;
    const contract = await addContract(owner, {
      selected_targets: [...custom(quota - 1), { target_type: "tx_rate" }],
    });
    expect(contract.targets_count).toBe(quota);
    const path = `/contracts/${contract.id}/targets`;
    expect(await owner.client.post(path, { target_type: "one_more" })).toMatchObject(
      errorReply(403, "quota_exceeded"),
    );
    expect((await owner.client.post(path, { target_type: "tx_rate" })).status).toBe(201);
    await owner.client.delete(`/targets/${(await list(owner, path))[0]?.id}`);
    expect((await owner.client.post(path, { target_type: "one_more" })).status).toBe(201);
    const body = { chain: "local", address: freshAddress(), selected_targets: custom(quota + 1) };
    // The request schema allows no more targets than the highest tier.
    const rejection = tier === "enterprise" ? { status: 422 } : errorReply(403, "quota_exceeded");
    expect(await owner.client.post("/contracts", body)).toMatchObject(rejection);
  },
);

test("a downgrade limits targets from the next request on", async () => {
  const owner = await h.personOn("pro");
  const contract = await addContract(owner, { selected_targets: custom(5) });
  await h.setTier(owner.org_id, "free");
  const path = `/contracts/${contract.id}/targets`;
  expect(await owner.client.post(path, { target_type: "more" })).toMatchObject(
    errorReply(403, "quota_exceeded"),
  );
});

test("a target is read by its id as the list shows it", async () => {
  const owner = await h.person();
  const contract = await addContract(owner);
  const target = await addTarget(owner, contract.id);
  const listed = (await owner.client.get(`/contracts/${contract.id}/targets`)).body as Target[];
  expect((await owner.client.get(`/targets/${target.id}`)).body).toEqual(listed[0]);
});
