import { afterAll, expect, onTestFinished, test } from "vitest";
import { cast } from "../../../src/chains/demo/cast.ts";
import { DemoChain } from "../../../src/chains/demo/node/chain.ts";
import type { Host } from "../../../src/chains/demo/node/methods.ts";
import { serveChain } from "../../../src/chains/demo/node/server.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import { harness } from "../../support/harness.ts";
import { listen } from "../../support/listen.ts";
import { longTest } from "../../support/run-size.ts";
import { errorReply, join, teamAdmin } from "../steps.ts";
import { addContract, addContractWithRule, recordEvent } from "./contract-steps.ts";

const time = 1_800_000_000;
const chain = await DemoChain.open({ seed: "test", time, startsAt: 0 });
for (let made = 1; made <= 40; made++) await chain.advance({ time: time + made * 2, branch: 0 });
const asked: string[] = [];
const node = serveChain(Promise.resolve({ chain, request: (name) => asked.push(name) }));
const { url: RPC_DEMO, close } = await listen(node);
afterAll(close);
const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1", RPC_DEMO, DEFAULT_TIER: "" } });

test("the demo watches its contracts with recommended rules that notify an inbox, and begins an incident", async () => {
  const { client } = await h.person();
  expect((await client.get("/demo")).body).toEqual({ is_available: true, contracts: 0, channel_id: null });
  const started = await client.post("/demo");
  expect(started).toMatchObject({ status: 200, body: { contracts: cast.length } });
  const contracts = (await client.get("/contracts")).body as Contract[];
  expect(new Set(contracts.map((contract) => contract.chain))).toEqual(new Set(["demo"]));
  for (const { label, labels } of contracts) {
    expect(label).toMatch(/^Demo /);
    expect(labels).toMatchObject([{ value: "demo" }]);
  }
  const [inbox] = (await client.get("/channels")).body as Channel[];
  expect(inbox).toMatchObject({ type: "inbox", name: "Demo inbox" });
  const rules = (await client.get("/alerts")).body as { name: string; channel_id: string }[];
  expect(rules.length).toBeGreaterThan(cast.length);
  expect(new Set(rules.map(({ channel_id }) => channel_id))).toEqual(new Set([inbox?.id]));
  expect(rules.map(({ name }) => name)).toContain("Large transfer");
  expect(asked).toEqual(["upgrade"]);

  // Again: nothing is added twice.
  expect((await client.post("/demo")).body).toEqual(started.body);
  expect((await client.get("/alerts")).body).toHaveLength(rules.length);
});

longTest("the demo waits for its chain while a service that has just started opens it", async () => {
  // Longer than the deadline of a request to a real chain.
  const openingMs = 4_000;
  const { promise: opening, resolve: open } = Promise.withResolvers<Host>();
  const late = await listen(serveChain(opening));
  onTestFinished(late.close);
  const service = await harness({
    env: { RPC_LOCAL: "http://127.0.0.1:1", RPC_DEMO: late.url, DEFAULT_TIER: "" },
  });
  onTestFinished(() => service.close());
  const { client } = await service.person();
  const opens = setTimeout(() => open({ chain, request: () => undefined }), openingMs);
  onTestFinished(() => clearTimeout(opens));
  expect(await client.post("/demo")).toMatchObject({ status: 200, body: { contracts: cast.length } });
});

test("an incident of the demo chain is explained at its blocks and shortly after, and ordinary blocks are not", async () => {
  const { client } = await h.person();
  const start = chain.head.height + 1;
  await chain.advance({ time: chain.head.time + 2, branch: 0, request: "mint_spike" });
  const titles = async (block: number) => {
    const { body } = await client.get("/demo/incidents", { query: { block: String(block) } });
    return (body as { title: string }[]).map(({ title }) => title);
  };
  const minted = "30 million demo dollars appear from nothing";
  expect(await titles(start - 1)).toEqual([]);
  expect(await titles(start)).toEqual([minted]);
  expect(await titles(start + 20)).toEqual([minted]);
  expect(await titles(start + 40)).toEqual([]);
  expect((await client.get("/demo/incidents", { query: { block: "soon" } })).status).toBe(422);
});

test("a member starts the demo, and an admin removes what is on the demo chain with its alerts, and nothing else", async () => {
  const owner = await teamAdmin(h);
  const member = await join(h, owner, "member");
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  expect((await member.client.post("/demo")).status).toBe(200);
  const [first] = (await owner.client.get("/contracts")).body as [Contract];
  const own = await addContractWithRule(owner);
  const kept = await recordEvent(h, owner.org_id, own);
  const [rule] = (await owner.client.get("/alerts", { query: {} })).body as {
    id: string;
    target_id: string;
  }[];
  const about = { contract: first, target: { id: rule?.target_id }, rule: { id: rule?.id } };
  await recordEvent(h, owner.org_id, about as never, { chain: "demo", chain_id: "731337" } as never);
  expect((await owner.client.get("/alerts/history")).body).toHaveLength(2);
  expect(await member.client.delete("/demo")).toMatchObject(errorReply(403, "admin_required"));
  expect((await owner.client.delete("/demo")).body).toEqual({
    is_available: true,
    contracts: 0,
    channel_id: null,
  });
  expect((await owner.client.get("/contracts")).body).toMatchObject([{ id: own.contract.id }]);
  expect((await owner.client.get("/channels")).body).toEqual([]);
  expect((await owner.client.get("/alerts/history")).body).toMatchObject([{ id: kept }]);
  expect((await owner.client.get("/demo")).body).toMatchObject({ contracts: 0, channel_id: null });
});

test("a service without the demo chain says how to get it", async () => {
  const plain = await harness();
  const owner = await plain.person();
  await addContract(owner);
  expect((await owner.client.get("/demo")).body).toMatchObject({ is_available: false, contracts: 0 });
  expect(await owner.client.post("/demo")).toMatchObject(errorReply(409, "conflict"));
  expect((await owner.client.post("/demo")).text).toContain("DEMO=1");
});
