import { sql } from "kysely";
import { expect, test } from "vitest";
import { recordOrgWatchChange, recordWatchChange } from "../../src/store/engine/watch.ts";
import { addContract } from "../api/contracts/contract-steps.ts";
import { harness } from "../support/harness.ts";

test("a transaction that changes one contract many times writes its change once, so that its commit stays short", async () => {
  const h = await harness();
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
