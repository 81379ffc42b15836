import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { grant } from "../contracts/contract-steps.ts";
import { errorReply, join, teamAdmin } from "../steps.ts";
import { addLabelled, addPolicy, getPolicy, rulesOn, settle } from "./policy-steps.ts";

const h = await harness();
const admin = await teamAdmin(h);
const [member, reader, editor] = [
  await join(h, admin, "member"),
  await join(h, admin, "member"),
  await join(h, admin, "member"),
];
for (const { client } of [member, reader, editor]) await client.post(`/orgs/${admin.org_id}/switch`);

/** Adds a contract that `reader` may see and `editor` may change, and one that is not restricted. */
async function addBoth(value: string) {
  const [open, restricted] = [await addLabelled(admin, value), await addLabelled(admin, value)];
  await grant(admin, restricted.id, reader, "viewer");
  await grant(admin, restricted.id, editor, "editor");
  return { open, restricted };
}

test.each([
  ["a member", member, 0, 1],
  ["a reader", reader, 0, 1],
  ["an editor", editor, 1, 2],
  ["an admin", admin, 1, 2],
] as const)(
  "a policy of %s is only on contracts that they may change",
  async (level, person, restrictedRules, matched) => {
    const { open, restricted } = await addBoth(level);
    const policy = await addPolicy(person, { selector: { labels: [level] } });
    await settle(h);
    expect(await rulesOn(admin, open.id)).toHaveLength(1);
    expect(await rulesOn(admin, restricted.id)).toHaveLength(restrictedRules);
    expect(await getPolicy(admin, policy.id)).toMatchObject({ progress: { matched, applied: matched } });
    // A member without access learns nothing of the restricted contract.
    expect(await getPolicy(member, policy.id)).toMatchObject({ progress: { matched: 1, applied: 1 } });
  },
);

test("a policy with rules on contracts that a person may not change cannot be changed by that person", async () => {
  const { restricted } = await addBoth("guarded");
  const policy = await addPolicy(admin, { selector: { labels: ["guarded"] } });
  await settle(h);
  for (const { client } of [member, reader]) {
    const denied = errorReply(403, "role_required");
    expect(await client.patch(`/policies/${policy.id}`, { is_enabled: false })).toMatchObject(denied);
    expect(await client.delete(`/policies/${policy.id}`)).toMatchObject(denied);
  }
  await settle(h);
  expect(await rulesOn(admin, restricted.id)).toHaveLength(1);
  expect((await editor.client.patch(`/policies/${policy.id}`, { name: "Edited" })).status).toBe(200);
  await settle(h);
  expect(await rulesOn(admin, restricted.id)).toMatchObject([{ name: "Edited" }]);
  expect((await editor.client.delete(`/policies/${policy.id}`)).status).toBe(200);
  await settle(h);
  expect(await rulesOn(admin, restricted.id)).toEqual([]);
});

test("a policy follows the access of the person who last changed it", async () => {
  const contract = await addLabelled(admin, "followed");
  const policy = await addPolicy(member, { selector: { labels: ["followed"] } });
  const isOn = async () => {
    await settle(h);
    return (await rulesOn(admin, contract.id)).length === 1;
  };
  expect(await isOn()).toBe(true);
  await grant(admin, contract.id, reader, "viewer");
  expect(await isOn()).toBe(false);
  await grant(admin, contract.id, member, "viewer");
  expect(await isOn()).toBe(false);
  await grant(admin, contract.id, member, "editor");
  expect(await isOn()).toBe(true);
  await admin.client.delete(`/contracts/${contract.id}/access/${member.user.id}`);
  expect(await isOn()).toBe(false);
  const role = (value: string) =>
    admin.client.patch(`/orgs/${admin.org_id}/members/${member.user.id}`, { role: value });
  await role("admin");
  expect(await isOn()).toBe(true);
  await role("member");
  expect(await isOn()).toBe(false);
  await admin.client.patch(`/policies/${policy.id}`, { is_enabled: true });
  expect(await isOn()).toBe(true);
  // From now on an admin is the author, and the member may no longer change the policy.
  expect(await member.client.delete(`/policies/${policy.id}`)).toMatchObject(
    errorReply(403, "role_required"),
  );
});
