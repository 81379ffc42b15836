import { expect, test } from "vitest";
import type { ConfigDocument } from "../../../src/wire/imports/configuration.ts";
import { harness } from "../../support/harness.ts";
import { addContract, addRule, addTarget, grant } from "../contracts/contract-steps.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { errorReply, join, teamAdmin } from "../steps.ts";
import { apply, applyOk, exportConfig, makePopulatedOrg, rule } from "./configuration-steps.ts";

const h = await harness();

/** Changes of a contract that a document can make, as a function of the contract in the export. */
const changesOfContract: [string, (contract: ExportedContract) => object[], boolean][] = [
  ["pruning the contract", () => [], true],
  ["pruning all targets", (contract) => [{ ...contract, targets: [] }], true],
  ["pruning a rule", (contract) => [withTarget(contract, { rules: [] })], true],
  ["renaming the contract", (contract) => [{ ...contract, label: "Mine" }], false],
  ["pausing the contract", (contract) => [{ ...contract, is_paused: true }], false],
  ["replacing labels", (contract) => [{ ...contract, labels: [{ value: "mine" }] }], false],
  ["disabling a target", (contract) => [withTarget(contract, { is_enabled: false })], false],
  ["adding a target", (contract) => [{ ...contract, targets: [{ target_type: "inactivity" }] }], false],
  [
    "changing a rule",
    (contract) => [withTarget(contract, { rules: [rule("Busy", { severity: "info" })] })],
    false,
  ],
  ["adding a rule", (contract) => [withTarget(contract, { rules: [rule("Another")] })], false],
];

type ExportedContract = NonNullable<ConfigDocument["contracts"]>[number];

const withTarget = (contract: ExportedContract, change: object) => ({
  ...contract,
  targets: contract.targets?.map((target) => ({ ...target, ...change })),
});

test("a member can neither export, change nor prune a contract hidden from them", async () => {
  const owner = await teamAdmin(h);
  const [hidden, shown, seen] = [
    await addContract(owner),
    await addContract(owner),
    await addContract(owner),
  ];
  const [other, member] = [await join(h, owner, "member"), await join(h, owner, "member")];
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  await grant(owner, hidden.id, other);
  await grant(owner, seen.id, member, "viewer");
  const addresses = (await exportConfig(member)).contracts?.map(({ address }) => address);
  expect(addresses?.sort()).toEqual([shown.address, seen.address].sort());
  const errorsOfChanging = async ({ address }: { address: string }) =>
    (await applyOk(member, { version: 1, contracts: [{ chain: "local", address, label: "Mine" }] }, true))
      .errors;
  expect(await errorsOfChanging(shown)).toEqual([]);
  expect(await errorsOfChanging(hidden)).toMatchObject([{ type: "contract_exists" }]);
  const taken = { version: 1, contracts: [{ chain: "local", address: hidden.address, label: "Mine" }] };
  expect((await apply(member, taken)).status).toBe(422);
  const { body } = await owner.client.get("/audit-log", { query: { action: "access.denied" } });
  expect(body).toMatchObject([{ actor: { id: member.user.id }, details: { reason: "not_found" } }]);
  expect(await errorsOfChanging(seen)).toMatchObject([
    { msg: "is a contract to which you have read-only access", type: "role_required" },
  ]);
  await grant(owner, seen.id, member, "editor");
  await applyOk(member, { version: 1, contracts: [], prune: true });
  expect((await exportConfig(owner)).contracts?.map(({ address }) => address)).toEqual([hidden.address]);
});

test.each(changesOfContract)(
  "%s of a contract by a document needs an editor grant, whatever else it contains",
  async (_what, changeOf, prune) => {
    const owner = await teamAdmin(h);
    const contract = await addContract(owner);
    const target = await addTarget(owner, contract.id);
    await addRule(owner, target.id, { name: "Busy" });
    const member = await join(h, owner, "member");
    await member.client.post(`/orgs/${owner.org_id}/switch`);
    await grant(owner, contract.id, member, "viewer");
    const [exported] = (await exportConfig(member)).contracts ?? [];
    const document = { version: 1, prune, contracts: changeOf(exported as ExportedContract) };
    const before = await exportConfig(owner);
    const plan = await applyOk(member, document, true);
    expect(new Set(plan.errors.map(({ type }) => type))).toEqual(new Set(["role_required"]));
    expect(await apply(member, document)).toMatchObject(errorReply(403, "role_required"));
    const channels = [{ type: "slack", name: "Broken", config: {} }];
    expect(await apply(member, { ...document, channels })).toMatchObject({
      status: 422,
      body: { detail: expect.arrayContaining([expect.objectContaining({ type: "role_required" })]) },
    });
    expect(await exportConfig(owner)).toEqual(before);
    const { body } = await owner.client.get("/audit-log", { query: { action: "access.denied" } });
    const denial = {
      actor: { id: member.user.id },
      details: { operation: "applyConfig", reason: "role_required" },
    };
    expect(body).toMatchObject([denial, denial]);
    await grant(owner, contract.id, member, "editor");
    await applyOk(member, document);
    expect(await exportConfig(owner)).not.toEqual(before);
  },
);

test("an unrestricted key can export and apply, and a restricted one cannot", async () => {
  const owner = await makePopulatedOrg(h);
  const unrestricted = await makeKeyClient(h, owner);
  const readOnly = await makeKeyClient(h, owner, { scope: "read_only" });
  const restricted = await makeKeyClient(h, owner, { chain_scope: [31337] });
  expect((await applyOk({ client: unrestricted }, await exportConfig({ client: readOnly }))).changes).toEqual(
    [],
  );
  expect(await restricted.get("/config")).toMatchObject(errorReply(403, "out_of_scope"));
  expect(await apply({ client: readOnly }, { version: 1 })).toMatchObject(errorReply(403, "read_only_key"));
});
