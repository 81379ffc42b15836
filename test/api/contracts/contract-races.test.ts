import { afterEach, expect, test } from "vitest";
import type { Faults } from "../../../src/faults.ts";
import type { Contract, Label } from "../../../src/wire/contracts/contracts.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import type { Client, Reply } from "../../support/client.ts";
import { harness, type Person } from "../../support/harness.ts";
import { countByStatus, join, sendConcurrently, teamAdmin, untilLockWait } from "../steps.ts";
import { addContract, addContractWithRule, addTarget, freshAddress, ruleBody } from "./contract-steps.ts";

let onFault: Faults["hit"] = () => undefined;
const h = await harness({ faults: { hit: (point) => onFault(point) } });

afterEach(() => {
  onFault = () => undefined;
});

const times = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const rounds = Array.from({ length: 5 }, (_, index) => index + 1);
const get = async (owner: Person, id: string) =>
  (await owner.client.get(`/contracts/${id}`)).body as Contract;
const failures = (replies: Reply[]) =>
  replies.filter((reply) => reply.status >= 500).map((reply) => reply.text);
const auditCount = async (org_id: string, action: string) => {
  const query = h.app.db.selectFrom("audit_log").select("id").where("action", "=", action);
  return (await query.where("org_id", "=", org_id).execute()).length;
};

test("sixteen concurrent contract creations do not exceed the tier's quota", async () => {
  const owner = await h.person();
  const replies = await times(16, () =>
    owner.client.post("/contracts", { chain: "local", address: freshAddress() }),
  );
  expect(countByStatus(replies)).toEqual({ 200: 5, 403: 11 });
  expect((await owner.client.get("/contracts")).body).toHaveLength(5);
  expect(await auditCount(owner.org_id, "contract.created")).toBe(5);
});

test("eight concurrent creations for one address create one contract", async () => {
  const owner = await h.person();
  const address = freshAddress();
  const replies = await times(8, () =>
    owner.client.post("/contracts", {
      chain: "local",
      address,
      selected_targets: [{ target_type: "tx_rate" }, { target_type: "revert_rate" }],
    }),
  );
  expect(countByStatus(replies)).toEqual({ 200: 1, 409: 7 });
  const all = (await owner.client.get("/contracts")).body as Contract[];
  expect(all).toMatchObject([{ targets_count: 2, status: "MONITORING" }]);
});

test("eight concurrent creations of a single-instance target create one target and return its id", async () => {
  const owner = await h.person();
  const { id } = await addContract(owner);
  const replies = await times(8, () =>
    owner.client.post(`/contracts/${id}/targets`, { target_type: "tx_rate" }),
  );
  expect(countByStatus(replies)).toEqual({ 201: 8 });
  expect(new Set(replies.map((reply) => (reply.body as Target).id)).size).toBe(1);
  expect((await owner.client.get(`/contracts/${id}/targets`)).body).toHaveLength(1);
});

test("sixteen concurrent target creations do not exceed the tier's quota", async () => {
  const owner = await h.person();
  const { id } = await addContract(owner);
  const replies = await times(16, (index) =>
    owner.client.post(`/contracts/${id}/targets`, { target_type: `custom_${index}` }),
  );
  expect(countByStatus(replies)).toEqual({ 201: 5, 403: 11 });
  expect(await get(owner, id)).toMatchObject({ targets_count: 5, status: "MONITORING" });
});

test("sixteen concurrent rule creations do not exceed the tier's quota", async () => {
  const owner = await h.person();
  const { target } = await addContractWithRule(owner);
  const replies = await times(16, () => owner.client.post("/alerts", ruleBody(target.id)));
  expect(countByStatus(replies)).toEqual({ 200: 9, 403: 7 });
  expect((await owner.client.get("/alerts")).body).toHaveLength(10);
});

test("creating and replacing labels concurrently gives the result of one of the two orders", async () => {
  for (const _round of rounds) {
    const owner = await h.person();
    const path = `/contracts/${(await addContract(owner)).id}/labels`;
    await owner.client.post(path, { value: "old" });
    const [created, replaced] = await Promise.all([
      owner.client.post(path, { value: "new" }),
      owner.client.put(path, { labels: [{ value: "New" }, { value: "other" }] }),
    ]);
    expect([201, 409]).toContain(created.status);
    expect(replaced.status).toBe(200);
    const left = ((await owner.client.get(path)).body as Label[]).map((label) => label.value);
    expect(left).toEqual(["New", "other"]);
  }
});

test("concurrent creations of labels neither duplicate a label nor exceed the limit of twenty", async () => {
  const owner = await h.person();
  const path = `/contracts/${(await addContract(owner)).id}/labels`;
  const same = (client: Client) => client.post(path, { value: "treasury" });
  expect(countByStatus(await sendConcurrently(Array(8).fill(owner.client), same))).toEqual({
    201: 1,
    409: 7,
  });
  const others = await times(24, (index) => owner.client.post(path, { value: `label ${index}` }));
  expect(countByStatus(others)).toEqual({ 201: 19, 403: 5 });
});

test("a contract whose last two targets are disabled concurrently is pending", async () => {
  for (const _round of rounds) {
    const owner = await h.person();
    const { id } = await addContract(owner);
    const targets = [
      await addTarget(owner, id, { target_type: "tx_rate" }),
      await addTarget(owner, id, { target_type: "revert_rate" }),
    ];
    await Promise.all(
      targets.map((target) => owner.client.patch(`/targets/${target.id}`, { is_enabled: false })),
    );
    expect(await get(owner, id)).toMatchObject({ status: "PENDING" });
  }
});

test("a pause concurrent with a target update is not undone by it", async () => {
  for (const isPauseFirst of [true, false]) {
    const owner = await h.person();
    const { contract, target } = await addContractWithRule(owner);
    const pause = () => owner.client.post(`/contracts/${contract.id}/pause`);
    const rename = () => owner.client.patch(`/targets/${target.id}`, { name: "x" });
    const [first, second] = isPauseFirst ? [pause, rename] : [rename, pause];
    const replies = await overlap(first, second);
    expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
    expect(await get(owner, contract.id)).toMatchObject({ status: "PAUSED" });
  }
});

test("eight concurrent changes of a condition raise the rule's version by eight", async () => {
  const owner = await h.person();
  const { rule } = await addContractWithRule(owner);
  const replies = await times(8, (index) =>
    owner.client.patch(`/alerts/${rule.id}`, { condition: { operator: "gt", threshold: 100 + index } }),
  );
  expect(countByStatus(replies)).toEqual({ 200: 8 });
  const row = await h.app.db
    .selectFrom("alert_rules")
    .select("version")
    .where("id", "=", rule.id)
    .executeTakeFirst();
  expect(row?.version).toBe(9);
});

/** Sends the second request before the first commits, and lets the first commit once the second waits for a lock. */
async function overlap(first: () => Promise<Reply>, second: () => Promise<Reply>): Promise<Reply[]> {
  let later: Promise<Reply> | undefined;
  onFault = async (point) => {
    if (point !== "write.before_commit" || later) return;
    later = second();
    await untilLockWait(h, later);
  };
  return [await first(), await (later as unknown as Promise<Reply>)];
}

/** A contract that only one of two members has a grant for. */
async function hiddenContract() {
  const admin = await teamAdmin(h);
  const [ada, bob] = [await join(h, admin, "member"), await join(h, admin, "member")];
  for (const person of [ada, bob]) await person.client.post(`/orgs/${admin.org_id}/switch`);
  const path = `/contracts/${(await addContract(admin)).id}`;
  const grant = ({ user }: Person) =>
    admin.client.post(`${path}/access`, { user_id: user.id, role: "viewer" });
  const revoke = ({ user }: Person) => admin.client.delete(`${path}/access/${user.id}`);
  await grant(ada);
  const canRead = async ({ client }: Person) => (await client.get(path)).status === 200;
  return { ada, bob, grant, revoke, sees: canRead };
}

test("a contract whose last two grants are revoked concurrently is visible to every member", async () => {
  const { ada, bob, grant, revoke, sees: canRead } = await hiddenContract();
  await grant(bob);
  const replies = await overlap(
    () => revoke(ada),
    () => revoke(bob),
  );
  expect(countByStatus(replies)).toEqual({ 200: 2 });
  expect([await canRead(ada), await canRead(bob)]).toEqual([true, true]);
});

test("a contract stays hidden when a grant is created while the last other one is revoked", async () => {
  for (const isGrantFirst of [true, false]) {
    const { ada, bob, grant, revoke, sees: canRead } = await hiddenContract();
    const [first, second] = isGrantFirst
      ? [() => grant(bob), () => revoke(ada)]
      : [() => revoke(ada), () => grant(bob)];
    expect(countByStatus(await overlap(first, second))).toEqual({ 200: 1, 201: 1 });
    expect([await canRead(ada), await canRead(bob)]).toEqual([false, true]);
  }
});

/** The requests that may run while the contract is deleted. */
type Part = Awaited<ReturnType<typeof addContractWithRule>>;
const changes: [string, (owner: Person, part: Part) => Promise<Reply>][] = [
  ["renamed", ({ client }, { contract }) => client.patch(`/contracts/${contract.id}`, { label: "x" })],
  ["paused", ({ client }, { contract }) => client.post(`/contracts/${contract.id}/pause`)],
  ["labelled", ({ client }, { contract }) => client.post(`/contracts/${contract.id}/labels`, { value: "x" })],
  [
    "given new labels",
    ({ client }, { contract }) =>
      client.put(`/contracts/${contract.id}/labels`, { labels: [{ value: "x" }] }),
  ],
  [
    "given a grant",
    ({ client, user }, { contract }) =>
      client.post(`/contracts/${contract.id}/access`, { user_id: user.id, role: "viewer" }),
  ],
  [
    "given a target",
    ({ client }, { contract }) =>
      client.post(`/contracts/${contract.id}/targets`, { target_type: "revert_rate" }),
  ],
  ["given a rule", ({ client }, { target }) => client.post("/alerts", ruleBody(target.id))],
  ["changed in a target", ({ client }, { target }) => client.patch(`/targets/${target.id}`, { name: "x" })],
  ["losing a target", ({ client }, { target }) => client.delete(`/targets/${target.id}`)],
  [
    "changed in a rule",
    ({ client }, { rule }) => client.patch(`/alerts/${rule.id}`, { condition: { operator: "absent" } }),
  ],
  ["losing a rule", ({ client }, { rule }) => client.delete(`/alerts/${rule.id}`)],
  ["deleted", ({ client }, { contract }) => client.delete(`/contracts/${contract.id}`)],
];

test.each(changes)(
  "a contract that is %s while it is deleted ends up deleted, without a server error",
  async (_how, change) => {
    for (const isFirst of [true, false]) {
      const owner = await h.person();
      const part = await addContractWithRule(owner);
      const remove = () => owner.client.delete(`/contracts/${part.contract.id}`);
      const [first, second] = isFirst
        ? [remove, () => change(owner, part)]
        : [() => change(owner, part), remove];
      const replies = await overlap(first, second);
      expect(failures(replies)).toEqual([]);
      expect(replies.map((reply) => reply.status < 300 || [404, 409, 422].includes(reply.status))).toEqual([
        true,
        true,
      ]);
      expect((await owner.client.get(`/contracts/${part.contract.id}`)).status).toBe(404);
    }
  },
);
