import { expect, test } from "vitest";
import { harness, type Person } from "../../support/harness.ts";
import { teamAdmin } from "../steps.ts";
import { addLabelled, addPolicy, getPolicy, rulesOn, settle } from "./policy-steps.ts";

const h = await harness();

/** A policy on a polled target, and a contract on which its window of three minutes is too short for the interval of the org. */
async function failedPolicy(ada: Person, slowDown: () => Promise<unknown>) {
  const condition = { operator: "lt", threshold: 1, aggregation: "avg", window_seconds: 180 };
  const rule = { severity: "info", condition, record_only: true };
  const policy = await addPolicy(ada, { target: { target_type: "native_balance" }, rule });
  await slowDown();
  const contract = await addLabelled(ada);
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({
    progress: { failed: 1, failures: [{ code: "invalid", reason: expect.stringContaining("window") }] },
  });
  return { policy, contract };
}

const changeInterval = async ({ client, org_id }: Person, polling_interval_seconds: number) => {
  expect((await client.patch(`/orgs/${org_id}/settings`, { polling_interval_seconds })).status).toBe(200);
};

test("a contract whose window did not fit the polling interval gets the rule when the interval becomes shorter", async () => {
  const ada = await teamAdmin(h);
  const { policy, contract } = await failedPolicy(ada, () => changeInterval(ada, 600));
  await changeInterval(ada, 300);
  await settle(h);
  expect(await rulesOn(ada, contract.id), "300 seconds are still too long").toEqual([]);
  await changeInterval(ada, 60);
  await settle(h);
  expect(await rulesOn(ada, contract.id)).toMatchObject([{ policy_id: policy.id }]);
  const progress = { applied: 1, failed: 0 };
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", progress });
});

test("a contract whose window did not fit the interval of the tier gets the rule after an upgrade", async () => {
  const ada = await teamAdmin(h);
  const { policy, contract } = await failedPolicy(ada, () => h.setTier(ada.org_id, "free"));
  await h.setTier(ada.org_id, "team");
  await settle(h);
  expect(await rulesOn(ada, contract.id)).toMatchObject([{ policy_id: policy.id }]);
});
