import { expect, test } from "vitest";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addContractWithRule, addRule, ruleBody } from "../contracts/contract-steps.ts";
import { join } from "../steps.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

async function addChannel({ client }: Person, name: string): Promise<string> {
  const config = { webhook_url: "https://hooks.slack.com/services/T0/B0/xyz" };
  const reply = await client.post("/channels", { type: "slack", name, config });
  if (reply.status !== 200) throw new Error(reply.text);
  return (reply.body as { id: string }).id;
}

/** An org with two channels, and a target. */
async function makeOrg() {
  const owner = await h.personOn("enterprise");
  const { target, contract } = await addContractWithRule(owner);
  const [first, second] = [await addChannel(owner, "First"), await addChannel(owner, "Second")];
  return { owner, target, contract, first, second };
}

const get = async ({ client }: Person, { id }: Rule) => (await client.get(`/alerts/${id}`)).body as Rule;

test("a rule needs a channel or record_only, but not both", async () => {
  const { owner, target, first } = await makeOrg();
  const { client } = owner;
  const create = (more: object) =>
    client.post("/alerts", { ...ruleBody(target.id), record_only: false, ...more });
  const none = await create({});
  expect(none.status).toBe(422);
  expect(none.body).toMatchObject({
    detail: [
      {
        loc: ["body", "record_only"],
        msg: expect.stringContaining("must be true for a rule without a channel"),
      },
    ],
  });
  expect((await create({ channel_id: first, record_only: true })).text).toContain(
    "cannot be true for a rule with a channel",
  );
  expect((await create({ channel_ids: [first] })).body).toMatchObject({ record_only: false });
  expect((await create({ record_only: true })).body).toMatchObject({ record_only: true, channel_id: null });
});

test("a record-only rule that is given a channel notifies it, and a rule cannot lose its last channel unnoticed", async () => {
  const { owner, target, first } = await makeOrg();
  const rule = await addRule(owner, target.id);
  const change = (body: object) => owner.client.patch(`/alerts/${rule.id}`, body);
  expect((await change({ channel_id: first })).body).toMatchObject({ channel_id: first, record_only: false });
  expect((await change({ channel_id: null })).status).toBe(422);
  expect((await change({ name: "Other" })).status).toBe(200);
  expect((await change({ channel_id: null, record_only: true })).body).toMatchObject({ record_only: true });
});

test("a channel that is the only one of a rule cannot be deleted, and the answer names the rule", async () => {
  const { owner, target, first, second } = await makeOrg();
  const only = await addRule(owner, target.id, { name: "Drained", channel_id: first });
  const shared = await addRule(owner, target.id, { channel_id: first, channel_ids: [second] });
  const refused = await owner.client.delete(`/channels/${first}`);
  expect(refused).toMatchObject({ status: 409, body: { code: "channel_in_use" } });
  expect(refused.text).toContain("Drained");
  expect(await get(owner, only)).toEqual(only);
  expect(await get(owner, shared)).toEqual(shared);
});

test("replace_with moves the rules of a deleted channel to another one, once each", async () => {
  const { owner, target, first, second } = await makeOrg();
  const rules = [
    await addRule(owner, target.id, { channel_id: first }),
    await addRule(owner, target.id, { channel_ids: [first] }),
    await addRule(owner, target.id, { channel_id: second, channel_ids: [first] }),
    await addRule(owner, target.id, { channel_id: first, channel_ids: [second] }),
  ];
  const path = `/channels/${first}`;
  for (const replace_with of [first, "00000000-0000-7000-8000-000000000000"]) {
    const wrong = await owner.client.delete(path, { query: { replace_with } });
    expect(wrong.body).toMatchObject({ detail: [{ loc: ["query", "replace_with"] }] });
  }
  expect((await owner.client.delete(path, { query: { replace_with: second } })).status).toBe(200);
  const after = await Promise.all(rules.map((rule) => get(owner, rule)));
  expect(after.map(({ channel_id, channel_ids }) => [channel_id, ...channel_ids].filter(Boolean))).toEqual(
    rules.map(() => [second]),
  );
  const audit = (await owner.client.get("/audit-log")).body as { items?: object[] };
  expect(JSON.stringify(audit)).toContain("channel_deleted");
});

test("a disabled channel cannot replace a deleted one, because its rules would notify nobody", async () => {
  const { owner, target, first, second } = await makeOrg();
  const rule = await addRule(owner, target.id, { channel_id: first });
  const replace = () => owner.client.delete(`/channels/${first}`, { query: { replace_with: second } });
  const enable = (is_enabled: boolean) => owner.client.patch(`/channels/${second}`, { is_enabled });
  expect((await enable(false)).status).toBe(200);
  expect(await replace()).toMatchObject({
    status: 422,
    body: {
      detail: [
        {
          loc: ["query", "replace_with"],
          msg: expect.stringMatching(/^is the channel "Second", .*disabled/),
        },
      ],
    },
  });
  expect(await get(owner, rule)).toEqual(rule);
  await enable(true);
  expect((await replace()).status).toBe(200);
});

test("force leaves rules without another channel record-only, and the others with what they have", async () => {
  const { owner, target, first, second } = await makeOrg();
  const only = await addRule(owner, target.id, { channel_id: first });
  const shared = await addRule(owner, target.id, { channel_id: first, channel_ids: [second] });
  expect((await owner.client.delete(`/channels/${first}`, { query: { force: "true" } })).status).toBe(200);
  expect(await get(owner, only)).toMatchObject({ channel_id: null, channel_ids: [], record_only: true });
  expect(await get(owner, shared)).toMatchObject({
    channel_id: null,
    channel_ids: [second],
    record_only: false,
  });
});

test("a member cannot silence a rule on a contract that is restricted to others", async () => {
  const { owner, target, contract, first } = await makeOrg();
  await addRule(owner, target.id, { name: "Secret rule", channel_id: first });
  const member = await join(h, owner, "member");
  await owner.client.post(`/contracts/${contract.id}/access`, { user_id: owner.user.id, role: "editor" });
  const refused = await member.client.delete(`/channels/${first}`);
  expect(refused).toMatchObject({ status: 403, body: { code: "role_required" } });
  expect(refused.text).not.toContain("Secret rule");
  const forced = await member.client.delete(`/channels/${first}`, { query: { force: "true" } });
  expect(forced).toMatchObject({ status: 403, body: { code: "role_required" } });
});

test("a rule that is created while its channel is deleted is rejected or keeps the channel", async () => {
  const { owner, target } = await makeOrg();
  for (let round = 0; round < 5; round++) {
    const channel_id = await addChannel(owner, `Race ${round}`);
    const [created, deleted] = await Promise.all([
      owner.client.post("/alerts", ruleBody(target.id, { channel_ids: [channel_id] })),
      owner.client.delete(`/channels/${channel_id}`),
    ]);
    expect([created.status, deleted.status]).toEqual(created.status === 200 ? [200, 409] : [422, 200]);
  }
});

test("a document that prunes a channel must give its rules another one", async () => {
  const { owner, target, first, second } = await makeOrg();
  await addRule(owner, target.id, { name: "Drained", channel_id: first });
  const { client } = owner;
  const document = (await client.get("/config")).body as {
    channels: { name: string }[];
    contracts: { targets: { rules: { name: string; channels: string[] }[] }[] }[];
  };
  const channels = document.channels.filter(({ name }) => name === "Second");
  const pruned = await client.post("/config/apply", { version: 1, channels, prune: true });
  expect(pruned.status).toBe(422);
  expect(pruned.text).toContain('leaves the rule \\"Drained\\" without a channel');
  for (const { targets } of document.contracts)
    for (const { rules } of targets)
      for (const rule of rules) if (rule.name === "Drained") rule.channels = ["Second"];
  const applied = await client.post("/config/apply", { ...document, channels, prune: true });
  expect([applied.status, applied.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  const rules = (await client.get("/alerts")).body as Rule[];
  expect(rules.find(({ name }) => name === "Drained")).toMatchObject({
    channel_id: second,
    record_only: false,
  });
});
