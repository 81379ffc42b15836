import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  listWatchChanges,
  listWatched,
  newestWatchChange,
  recordOrgWatchChange,
  recordWatchChange,
} from "../../src/store/engine/watch.ts";
import { addContract, addContractWithRule, freshId, ruleBody } from "../api/contracts/contract-steps.ts";
import { errorReply } from "../api/steps.ts";
import { harness } from "../support/harness.ts";

const h = await harness();
test("a transaction that changes one contract many times writes its change once, so that its commit stays short", async () => {
  const owner = await h.personOn("enterprise");
  const { chain, id } = await addContract(owner, {});
  await h.app.db.transaction().execute(async (tx) => {
    const version = sql`select ctid::text from watch_versions where contract_id = ${id}`;
    await recordWatchChange(tx, chain, id);
    const { rows: first } = await version.execute(tx);
    for (let times = 0; times < 3; times++) await recordWatchChange(tx, chain, id);
    await recordOrgWatchChange(tx, owner.org_id);
    expect((await version.execute(tx)).rows).toEqual(first);
  });
});

test("a contract gets no more targets and rules than the engine can read at once, and loses them at any size", async () => {
  const owner = await h.personOn("enterprise");
  const { contract, target, rule } = await addContractWithRule(owner);
  await sql`
    insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, status, created_at, updated_at)
    select gen_random_uuid(), org_id, contract_id, 'no_such_type', n, jsonb_build_object('text', repeat('a', 32000)), false, 'unsupported', created_at, updated_at
    from targets, generate_series(1, 270) n where id = ${target.id}`.execute(h.app.db);
  const reply = await owner.client.post("/alerts", ruleBody(target.id));
  expect(reply).toMatchObject(errorReply(403, "quota_exceeded"));
  expect(reply.body).toMatchObject({ detail: expect.stringMatching(/more than 8 MB together/) });
  expect((await owner.client.post(`/contracts/${contract.id}/pause`)).status).toBe(200);
  expect((await owner.client.delete(`/alerts/${rule.id}`)).status).toBeLessThan(300);
});

test("contracts with large definitions are read in several pages, so that those of one org do not stop a chain", async () => {
  const owner = await h.personOn("enterprise");
  const [before, since] = [freshId(), await newestWatchChange(h.app.db, "local")];
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push((await addContractWithRule(owner)).contract.id);
  await sql`update contracts set status = 'MONITORING' where org_id = ${owner.org_id}`.execute(h.app.db);
  const [, large, other] = ids.sort();
  // Repeated characters, which would be compressed to almost nothing.
  await sql`
    insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, status, created_at, updated_at)
    select gen_random_uuid(), org_id, contract_id, 'no_such_type', n, jsonb_build_object('text', repeat('a', 30000)), false, 'unsupported', created_at, updated_at
    from targets, generate_series(1, 4) n where contract_id in (${large}, ${other})`.execute(h.app.db);
  const pages: string[][] = [];
  for (let afterId = before; ; afterId = pages.at(-1)?.at(-1) ?? "") {
    const page = await listWatched(h.app.db, "local", 0, { afterId, limit: 3, maxBytes: 100_000 });
    if (page.length === 0) break;
    pages.push(page.map(({ id }) => id));
  }
  expect(pages).toEqual([ids.slice(0, 1), ids.slice(1, 2), ids.slice(2, 3), ids.slice(3)]);
  const changes: string[][] = [];
  for (let after = since; ; ) {
    const page = await listWatchChanges(h.app.db, "local", after, 0, 100_000);
    if (page.ids.length === 0) break;
    changes.push(page.ids);
    after = page.newest;
  }
  expect(changes.flat().sort()).toEqual(ids);
  expect(changes.length).toBeGreaterThan(1);
  expect(
    await listWatched(h.app.db, "local", 0, { afterId: before, limit: 3, maxBytes: 1_000_000 }),
  ).toHaveLength(3);
});
