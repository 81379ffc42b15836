import { expect, test } from "vitest";
import type { Contract, Label } from "../../../src/wire/contracts/contracts.ts";
import { harness, type Person } from "../../support/harness.ts";
import { errorReply, join, teamAdmin, unknownId } from "../steps.ts";
import { addContract, addContractWithRule, addRule, addTarget, freshAddress } from "./contract-steps.ts";

const h = await harness();

const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const erc20 = [
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256", indexed: false },
    ],
  },
];

const list = async (person: Person) => (await person.client.get("/contracts")).body as Contract[];
const get = async (person: Person, id: string) =>
  (await person.client.get(`/contracts/${id}`)).body as Contract;

test("a contract without targets is pending and is returned with every field", async () => {
  const owner = await h.person();
  const reply = await owner.client.post("/contracts", { chain: "ethereum", address: usdc, label: " USDC " });
  expect(reply).toMatchObject({ status: 200 });
  expect(reply.body).toEqual({
    id: expect.any(String),
    org_id: owner.org_id,
    chain: "ethereum",
    chain_id: 1,
    address: usdc,
    label: "USDC",
    labels: [],
    status: "PENDING",
    status_code: null,
    status_reason: null,
    category: "other",
    contract_type: "unknown",
    is_proxy: false,
    implementation_address: null,
    is_verified: null,
    abi_source: "none",
    targets_count: 0,
    rules_count: 0,
    last_activity_at: null,
    created_by: owner.user.id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(await get(owner, (reply.body as Contract).id)).toEqual(reply.body);
});

test("a contract created with targets is monitored at once", async () => {
  const owner = await h.person();
  const contract = await addContract(owner, {
    selected_targets: [
      { target_type: "tx_rate", config: { direction: "any" } },
      { target_type: "revert_rate" },
    ],
  });
  expect(contract).toMatchObject({ status: "MONITORING", targets_count: 2 });
});

test("a contract without a label is labelled with its shortened address", async () => {
  const contract = await addContract(await h.person(), { address: usdc });
  expect(contract.label).toBe("0xA0b869…eB48");
});

test.each([
  ["with its checksum", usdc],
  ["in lower case", usdc.toLowerCase()],
  ["in upper case", `0x${usdc.slice(2).toUpperCase()}`],
])("a contract address written %s is the same address", async (_how, address) => {
  const owner = await h.person();
  expect(await addContract(owner, { address })).toMatchObject({ address: usdc });
  const again = await owner.client.post("/contracts", { chain: "local", address: usdc });
  expect(again).toMatchObject(errorReply(409, "contract_exists"));
});

test("the same address on another chain, or in another org, is another contract", async () => {
  const [ada, bob] = [await h.person(), await h.person()];
  await addContract(ada, { address: usdc });
  await addContract(ada, { address: usdc, chain: "ethereum" });
  await addContract(bob, { address: usdc });
  expect([(await list(ada)).length, (await list(bob)).length]).toEqual([2, 1]);
});

test.each([
  ["an unknown chain", { chain: "atlantis" }, ["chain"]],
  ["a chain without an RPC URL", { chain: "polygon" }, ["chain"]],
  ["an address that is too short", { address: "0x1234" }, ["address"]],
  ["an address with a wrong checksum", { address: usdc.replace("A0b", "a0b") }, ["address"]],
  ["a name in place of an address", { address: "vitalik.eth" }, ["address"]],
  ["an empty label", { label: " " }, ["label"]],
  ["a label of 101 characters", { label: "x".repeat(101) }, ["label"]],
  ["an unknown field", { labels: [] }, ["labels"]],
  ["a malformed ABI", { abi: "transfer" }, ["abi"]],
  ["201 targets", { selected_targets: Array(201).fill({ target_type: "tx_rate" }) }, ["selected_targets"]],
])("a contract with %s is rejected at the offending field", async (_what, wrong, loc) => {
  const owner = await h.person();
  const reply = await owner.client.post("/contracts", { chain: "local", address: usdc, ...wrong });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", ...loc] }] } });
  expect(await list(owner)).toEqual([]);
});

test("all errors of a contract are reported in one reply", async () => {
  const owner = await h.person();
  const reply = await owner.client.post("/contracts", {
    chain: "atlantis",
    address: "nowhere",
    abi: 7,
    selected_targets: [
      { target_type: "tx_rate", config: { direction: "up", speed: 1 } },
      { target_type: "native_balance" },
      { target_type: "event_frequency" },
    ],
  });
  const { detail } = reply.body as { detail: { loc: (string | number)[] }[] };
  expect(reply.status).toBe(422);
  expect(detail.map(({ loc }) => loc.join(".")).sort()).toEqual([
    "body.abi",
    "body.address",
    "body.chain",
    "body.selected_targets.0.config.direction",
    "body.selected_targets.0.config.speed",
    "body.selected_targets.2.config.event_signature",
  ]);
});

test("errors that the schema finds are reported together with those that it cannot find", async () => {
  const owner = await h.person();
  const locsOf = async (path: string, body: object) => {
    const reply = await owner.client.post(path, body);
    expect(reply.status).toBe(422);
    const { detail } = reply.body as { detail: { loc: (string | number)[] }[] };
    return detail.map(({ loc }) => loc.slice(1).join(".")).sort();
  };
  const targets = [{ target_type: "tx_rate", config: { direction: "up" } }];
  const contract = { chain: "atlantis", address: "nowhere", label: " ", abi: 7, selected_targets: targets };
  expect(await locsOf("/contracts", contract)).toEqual([
    "abi",
    "address",
    "chain",
    "label",
    "selected_targets.0.config.direction",
  ]);
  expect(await locsOf("/contracts/inspect", { chain: "atlantis", address: "nowhere", colour: 1 })).toEqual([
    "address",
    "chain",
    "colour",
  ]);
  const { id } = await addContract(owner);
  const target = { target_type: "tx_rate", name: "", config: { direction: "up" } };
  expect(await locsOf(`/contracts/${id}/targets`, target)).toEqual(["config.direction", "name"]);
  const channel = { type: "webhook", name: "", config: { url: "nowhere" } };
  expect(await locsOf("/channels", channel)).toEqual(["config.url", "name"]);
});

test("contracts are listed newest first, with ordered labels and with counts", async () => {
  const owner = await h.person();
  const first = await addContract(owner);
  h.clock.advance(1);
  const { contract: second, target } = await addContractWithRule(owner);
  await addRule(owner, target.id);
  for (const value of ["b", "a"])
    await owner.client.post(`/contracts/${second.id}/labels`, { value, key: "team" });
  const all = await list(owner);
  expect(all.map((one) => one.id)).toEqual([second.id, first.id]);
  expect(all[0]).toMatchObject({
    targets_count: 1,
    rules_count: 2,
    labels: [{ value: "b" }, { value: "a" }],
  });
  const labels = (await owner.client.get(`/contracts/${second.id}/labels`)).body as Label[];
  expect(all[0]?.labels).toEqual(labels);
  expect(await get(owner, second.id)).toEqual(all[0]);
});

test("a contract update changes the label, category and ABI and keeps fields it leaves out", async () => {
  const owner = await h.person();
  const contract = await addContract(owner, {
    label: "Before",
    selected_targets: [{ target_type: "tx_rate" }],
  });
  h.clock.advance(5);
  const change = async (body: object) => (await owner.client.patch(`/contracts/${contract.id}`, body)).body;
  const renamed = (await change({ label: "After" })) as Contract;
  expect(renamed).toEqual({ ...contract, label: "After", updated_at: renamed.updated_at });
  expect(renamed.updated_at > contract.updated_at).toBe(true);
  expect(await change({ category: "dex", abi: erc20 })).toMatchObject({
    label: "After",
    category: "dex",
    abi_source: "upload",
    status: "MONITORING",
  });
});

test.each([
  {},
  { category: "casino" },
  { chain: "ethereum" },
  { address: usdc },
  { abi: {} },
  { status: "PAUSED" },
])("the contract update %j gets 422", async (body) => {
  const owner = await h.person();
  const contract = await addContract(owner);
  expect((await owner.client.patch(`/contracts/${contract.id}`, body)).status).toBe(422);
  expect(await get(owner, contract.id)).toEqual(contract);
});

test("a paused contract stays paused when its targets change, until it is resumed", async () => {
  const owner = await h.person();
  const { contract } = await addContractWithRule(owner);
  const post = async (what: string) => (await owner.client.post(`/contracts/${contract.id}/${what}`)).body;
  expect(await post("pause")).toMatchObject({ status: "PAUSED" });
  expect(await post("pause")).toMatchObject({ status: "PAUSED" });
  await addTarget(owner, contract.id, { target_type: "revert_rate" });
  expect(await get(owner, contract.id)).toMatchObject({ status: "PAUSED", targets_count: 2 });
  expect(await post("resume")).toMatchObject({ status: "MONITORING" });
  expect(await post("resume")).toMatchObject({ status: "MONITORING" });
});

test("a contract resumed without targets is pending", async () => {
  const owner = await h.person();
  const { id } = await addContract(owner);
  await owner.client.post(`/contracts/${id}/pause`);
  expect((await owner.client.post(`/contracts/${id}/resume`)).body).toMatchObject({ status: "PENDING" });
});

test("resuming a contract in error starts monitoring it again", async () => {
  const owner = await h.person();
  const { contract } = await addContractWithRule(owner);
  await h.app.db
    .updateTable("contracts")
    .set({ status: "ERROR", status_code: "no_code", status_reason: "There is no code at this address." })
    .where("id", "=", contract.id)
    .execute();
  await addTarget(owner, contract.id, { target_type: "revert_rate" });
  expect(await get(owner, contract.id)).toMatchObject({ status: "ERROR" });
  const resumed = (await owner.client.post(`/contracts/${contract.id}/resume`)).body;
  expect(resumed).toMatchObject({ status: "MONITORING", status_reason: null });
});

test("deleting a contract deletes its targets and rules, and the address can be added again", async () => {
  const owner = await h.person();
  const address = freshAddress();
  const { contract, target, rule } = await addContractWithRule(owner, { address });
  expect(await owner.client.delete(`/contracts/${contract.id}`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(await list(owner)).toEqual([]);
  for (const path of [`/contracts/${contract.id}`, `/contracts/${contract.id}/targets`, `/alerts/${rule.id}`])
    expect(await owner.client.get(path)).toMatchObject(errorReply(404, "not_found"));
  expect(await owner.client.patch(`/targets/${target.id}`, { name: "x" })).toMatchObject({ status: 404 });
  expect(await owner.client.delete(`/contracts/${contract.id}`)).toMatchObject(errorReply(404, "not_found"));
  expect((await addContract(owner, { address })).id).not.toBe(contract.id);
});

test.each([
  ["free", 5],
  ["pro", 50],
] as const)("the %s tier allows %d contracts", async (tier, quota) => {
  const owner = await h.personOn(tier);
  for (let count = 0; count < quota; count++) await addContract(owner);
  const over = () => owner.client.post("/contracts", { chain: "local", address: freshAddress() });
  expect(await over()).toMatchObject(errorReply(403, "quota_exceeded"));
  await owner.client.delete(`/contracts/${(await list(owner))[0]?.id}`);
  expect((await over()).status).toBe(200);
});

test("after a downgrade existing contracts can be changed but none added", async () => {
  const owner = await teamAdmin(h);
  const contracts = [];
  for (let count = 0; count < 7; count++) contracts.push(await addContract(owner));
  await h.setTier(owner.org_id, "free");
  expect(await list(owner)).toHaveLength(7);
  const over = await owner.client.post("/contracts", { chain: "local", address: freshAddress() });
  expect(over).toMatchObject(errorReply(403, "quota_exceeded"));
  expect((await owner.client.patch(`/contracts/${contracts[6]?.id}`, { label: "Kept" })).status).toBe(200);
});

test("a contract whose targets exceed the quota is not created", async () => {
  const owner = await h.person();
  const selected_targets = Array.from({ length: 6 }, (_, index) => ({ target_type: `custom_${index}` }));
  const reply = await owner.client.post("/contracts", { chain: "local", address: usdc, selected_targets });
  expect(reply).toMatchObject(errorReply(403, "quota_exceeded"));
  expect(await list(owner)).toEqual([]);
  expect((await owner.client.post("/contracts", { chain: "local", address: usdc })).status).toBe(200);
});

test("a contract stays when its creator leaves the org", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const contract = await addContract(member);
  await admin.client.delete(`/orgs/${admin.org_id}/members/${member.user.id}`);
  expect(await get(admin, contract.id)).toEqual(contract);
});

test("a malformed contract id gets 422, and an unknown one 404", async () => {
  const owner = await h.person();
  expect((await owner.client.get("/contracts/7")).status).toBe(422);
  expect(await owner.client.get(`/contracts/${unknownId}`)).toMatchObject(errorReply(404, "not_found"));
});

test("repeating a contract creation with the same Idempotency-Key creates it once", async () => {
  const owner = await h.person();
  const body = { chain: "local", address: freshAddress() };
  const send = () => owner.client.post("/contracts", body, { headers: { "idempotency-key": "once" } });
  const [first, second] = [await send(), await send()];
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect(second.headers["idempotency-replayed"]).toBe("true");
});
