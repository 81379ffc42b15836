import { expect, test } from "vitest";
import { inspectContracts } from "../../src/jobs/inspect-contracts.ts";
import { addContract, freshAddress } from "../api/contracts/contract-steps.ts";
import { harness } from "../support/harness.ts";

const h = await harness();

test("a contract is inspected in the first round although another organisation has imported many", async () => {
  const [busy, calm] = [await h.person(), await h.person()];
  await h.setTier(busy.org_id, "enterprise");
  const contracts = Array.from({ length: 30 }, () => ({ chain: "local", address: freshAddress() }));
  expect((await busy.client.post("/contracts/bulk-import", { contracts })).body).toMatchObject({
    imported: 30,
  });
  const { id } = await addContract(calm);
  await inspectContracts.run(h.app);
  // No node answers, so that the inspections of the round are tried again later.
  const tried = await h.app.db
    .selectFrom("contracts")
    .select(["id", "org_id"])
    .where("inspect_at", ">", new Date(0))
    .execute();
  expect(tried).toHaveLength(10);
  expect(tried.filter(({ org_id }) => org_id === calm.org_id)).toEqual([{ id, org_id: calm.org_id }]);
});
