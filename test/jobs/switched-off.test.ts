import { sql } from "kysely";
import { expect, test } from "vitest";
import { markDisabledChainsJob } from "../../src/jobs/mark-disabled-chains.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import { addContract, addTarget } from "../api/contracts/contract-steps.ts";
import { harness, type Person } from "../support/harness.ts";

const h = await harness();

const get = async ({ client }: Person, { id }: Contract) =>
  (await client.get(`/contracts/${id}`)).body as Contract;
const settle = async () => {
  while ((await markDisabledChainsJob.run(h.app)).hasMore);
};
const turn = async (chain: string, is_enabled: boolean) => {
  const reply = await (await h.staff()).patch(`/admin/chains/${chain}`, { is_enabled });
  if (reply.status !== 200) throw new Error(reply.text);
};

test("a contract on a disabled chain has the status ERROR until the chain is enabled, and paused contracts stay paused", async () => {
  const owner = await h.person();
  const [monitored, pending, paused, elsewhere] = [
    await addContract(owner, { chain: "ethereum" }),
    await addContract(owner, { chain: "ethereum" }),
    await addContract(owner, { chain: "ethereum" }),
    await addContract(owner),
  ];
  await addTarget(owner, monitored.id);
  await owner.client.post(`/contracts/${paused.id}/pause`);
  const statuses = async () => {
    const all = [monitored, pending, paused, elsewhere];
    return (await Promise.all(all.map((one) => get(owner, one)))).map(({ status }) => status);
  };
  const before = ["MONITORING", "PENDING", "PAUSED", "PENDING"];
  await settle();
  expect(await statuses()).toEqual(before);
  await turn("ethereum", false);
  await settle();
  await settle();
  expect(await statuses()).toEqual(["ERROR", "ERROR", "PAUSED", "PENDING"]);
  expect(await get(owner, monitored)).toMatchObject({ status_reason: "Ethereum is switched off here." });
  await turn("ethereum", true);
  await settle();
  expect(await statuses()).toEqual(before);
  expect(await get(owner, monitored)).toMatchObject({ status_reason: null });
});

test("other errors of a contract stay, and a chain that another process follows is not disabled", async () => {
  const owner = await h.person();
  const [empty, followed] = [await addContract(owner), await addContract(owner, { chain: "ethereum" })];
  await h.app.db
    .updateTable("contracts")
    .set({ status: "ERROR", status_code: "no_code", status_reason: "There is no code at this address." })
    .where("id", "=", empty.id)
    .execute();
  await sql`
    insert into chain_leases (chain, holder, fence, expires_at)
    values ('ethereum', gen_random_uuid(), 1, now() + interval '1 minute')`.execute(h.app.db);
  await turn("ethereum", false);
  await settle();
  expect([await get(owner, empty), await get(owner, followed)]).toMatchObject([
    { status: "ERROR", status_reason: "There is no code at this address." },
    { status: "PENDING" },
  ]);
  await sql`update chain_leases set expires_at = now()`.execute(h.app.db);
  await settle();
  expect(await get(owner, followed)).toMatchObject({ status: "ERROR" });
});

test("a chain of another process counts as disabled once that process has been gone for long", async () => {
  const owner = await h.person();
  const contract = await addContract(owner);
  await h.app.db.updateTable("contracts").set({ chain: "base" }).where("id", "=", contract.id).execute();
  await sql`
    insert into chain_cursors (chain, height, hash, block_time, head_seen_at, updated_at)
    values ('base', 1, '0x', now(), ${h.clock.now()}, now())`.execute(h.app.db);
  await settle();
  expect(await get(owner, contract)).toMatchObject({ status: "PENDING" });
  h.clock.advance(601);
  await settle();
  expect(await get(owner, contract)).toMatchObject({ status: "ERROR" });
});
