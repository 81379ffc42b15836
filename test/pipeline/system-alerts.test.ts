import { expect, test } from "vitest";
import { harness } from "../harness.ts";
import { makeWorld } from "./world.ts";

const h = await harness({
  env: { RPC_LOCAL: "http://127.0.0.1:1", RPC_ETHEREUM: "", STAFF_EMAIL: "staff@example.com" },
});
const world = await makeWorld({ harness: h });
const target = { target_type: "native_balance" };
const nowSeconds = () => Math.floor(h.clock.now().getTime() / 1000);

test("a chain that stands still is told to the orgs on it, once, and called off when it moves", async () => {
  const other = await h.person("elsewhere");
  await world.watch(target);
  await world.settle();
  world.chain.mine([], { time: nowSeconds() });
  await world.settle();
  await h.runJobs();
  expect(await world.events()).toEqual([]);
  h.clock.advance(900);
  await h.runJobs();
  h.clock.advance(60);
  await h.runJobs();
  const stalled = (await world.events()).filter((event) => event.target_type === "chain");
  expect(stalled).toMatchObject([{ kind: "error", status: "firing", chain: "local", severity: "critical" }]);
  expect((await other.client.get("/alerts/history")).body).toEqual([]);
  const status = await h.anyone().get("/status");
  expect(status.body).toMatchObject({ status: "down", chains: [{ chain: "local", state: "stalled" }] });

  world.chain.mine([], { time: nowSeconds() });
  await world.settle();
  await h.runJobs();
  const after = (await world.events()).filter((event) => event.target_type === "chain");
  expect(after).toMatchObject([{ status: "resolved" }]);
  expect((await h.anyone().get("/status")).body).toMatchObject({ status: "ok" });
});

test("a target that gives nothing is told, with the reason", async () => {
  world.chain.failure = "execution reverted";
  h.clock.advance(3600);
  world.chain.mine([], { time: nowSeconds() });
  await world.settle();
  await h.runJobs();
  const silent = (await world.events()).filter((event) => event.kind === "no_data");
  expect(silent).toMatchObject([{ status: "firing", target_type: "native_balance" }]);
  expect(silent[0]?.message).toContain("execution reverted");

  world.chain.failure = undefined;
  world.chain.mine([], { time: nowSeconds() + 60 });
  await world.settle();
  await h.runJobs();
  expect((await world.events()).filter((event) => event.kind === "no_data")).toMatchObject([
    { status: "resolved" },
  ]);
});

test("staff are told once of a reorganisation deeper than it should be, and clear it", async () => {
  const staff = await h.staff();
  const base = world.chain.tip;
  for (let blocks = 0; blocks < 5; blocks++) world.chain.mine([], { time: nowSeconds() });
  await world.settle();
  for (let blocks = 0; blocks < 6; blocks++) {
    world.chain.mine([], { time: nowSeconds(), salt: 9, ...(blocks === 0 && { on: base }) });
  }
  await world.settle();
  expect((await h.anyone().get("/status")).body).toMatchObject({
    status: "degraded",
    chains: [{ state: "degraded" }],
  });
  await h.runJobs();
  await h.runJobs();
  const told = h.mails.filter((mail) => mail.to === "staff@example.com" && mail.subject.includes("local"));
  expect(told).toHaveLength(1);
  expect((await staff.patch("/admin/chains/local", { is_enabled: true })).status).toBe(200);
  expect((await h.anyone().get("/status")).body).toMatchObject({ status: "ok" });
});
