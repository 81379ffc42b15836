import { fork } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import { addTarget } from "../../api/contracts/contract-steps.ts";
import { addPolicy, getPolicy, rulesOn } from "../../api/policies/policy-steps.ts";
import { type Dice, makeDice } from "../../pipeline/dice.ts";
import { bundledChild } from "../../support/bundle.ts";
import { cloneDatabase } from "../../support/database.ts";
import { harness } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import type { Order } from "./policy-child.ts";

const contracts = runSize("POLICY_CONTRACTS", { short: 30, long: 5_000 });
const kills = runSize("POLICY_KILLS", { short: 2, long: 40 });
const seed = runSize("POLICY_SEED", { short: 1, long: 1 });
/** Two thirds of the contracts match the policy. All processes together die before these are done. */
const maxHits = Math.floor((contracts * 2) / 3 / (kills + 1));

const address = await cloneDatabase();
const h = await harness({ address });
const entry = bundledChild("test/jobs/policies/policy-child.ts");

function start(death?: Order["death"]) {
  const child = fork(entry, { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  child.send({ address, folder: h.folder, death } satisfies Order);
  return { child, ended: once(child, "exit") };
}

/** Returns whether no work is left. */
async function isSettled(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from policy_contracts where state in ('pending', 'leaving') union all
    select 1 from policy_marks limit 1`.execute(h.app.db);
  return rows.length === 0;
}

/** Resolves when no work is left, or when `isOver` says that it no longer matters. */
async function untilSettled(isOver: () => boolean = () => false): Promise<void> {
  while (!isOver() && !(await isSettled())) await new Promise((done) => setTimeout(done, 20));
}

/**
 * Runs the job in two processes at a time and kills both again and again, before or after a commit; then lets it finish.
 * Returns how often a kill left work.
 */
async function applyUnderKills(random: Dice): Promise<number> {
  let interruptions = 0;
  for (let round = 0; round < kills / 2; round++) {
    const point = round % 2 === 0 ? "write.before_commit" : "write.after_commit";
    const victims = [0, 1].map(() => start({ point, hits: random.between(Math.ceil(maxHits / 2), maxHits) }));
    let isOver = false;
    // A process without work does not reach its fault point.
    await Promise.race([...victims.map(({ ended }) => ended), untilSettled(() => isOver)]);
    isOver = true;
    for (const { child } of victims) child.kill("SIGKILL");
    await Promise.all(victims.map(({ ended }) => ended));
    if (!(await isSettled())) interruptions++;
  }
  const heirs = [start(), start()];
  await untilSettled();
  for (const { child } of heirs) child.send("stop");
  await Promise.all(heirs.map(({ ended }) => ended));
  return interruptions;
}

test(`a policy over ${contracts} contracts is applied and undone exactly when its processes are killed`, async () => {
  const random = makeDice(seed);
  const ada = await h.personOn("enterprise");
  const rows = Array.from({ length: contracts }, (_, index) => ({
    chain: "local",
    address: `0x${(index + 1).toString(16).padStart(40, "0")}`,
    ...(index % 3 !== 0 && { labels: ["treasury"] }),
  }));
  const add = async (some: typeof rows) => {
    for (let from = 0; from < some.length; from += 500) {
      const batch = some.slice(from, from + 500);
      const reply = await ada.client.post("/contracts/bulk-import", { contracts: batch });
      expect(reply.body).toMatchObject({ failed: 0 });
    }
    const all = (await ada.client.get("/contracts")).body as Contract[];
    return all.filter(({ labels }) => labels.length > 0).map(({ id }) => id);
  };
  // A fifth is there before the policy, the others come later.
  const early = await add(rows.slice(0, contracts / 5));
  const measured = await Promise.all(early.slice(0, 10).map((id) => addTarget(ada, id)));
  const policy = await addPolicy(ada);
  const matching = await add(rows.slice(contracts / 5));
  expect(await applyUnderKills(random)).toBeGreaterThan(0);

  const rules = await rulesOn(ada);
  expect(rules.map(({ contract_id }) => contract_id).sort()).toEqual([...matching].sort());
  expect(rules.every(({ policy_id }) => policy_id === policy.id)).toBe(true);
  const targets = await h.app.db.selectFrom("targets").select(["id", "contract_id", "policy_id"]).execute();
  expect(targets.map(({ contract_id }) => contract_id).sort()).toEqual([...matching].sort());
  expect(
    targets
      .filter(({ policy_id }) => policy_id === null)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(measured.map(({ id }) => id).sort());
  const total = matching.length;
  const progress = { matched: total, applied: total, failed: 0, pending: 0, failures: [] };
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", progress });
  expect(await recorded(policy.id)).toEqual([{ added: total, updated: 0, removed: 0 }]);

  await ada.client.delete(`/policies/${policy.id}`);
  expect(await applyUnderKills(random)).toBeGreaterThan(0);
  expect(await rulesOn(ada)).toEqual([]);
  const rest = await h.app.db.selectFrom("targets").select("id").execute();
  expect(rest.map(({ id }) => id).sort()).toEqual(measured.map(({ id }) => id).sort());
  expect(await recorded(policy.id)).toEqual([
    { added: total, updated: 0, removed: 0 },
    { added: 0, updated: 0, removed: total },
  ]);
  expect(await h.app.db.selectFrom("policies").select("id").execute()).toEqual([]);
}, 1_800_000);

/** What the audit log says that the policy did to rules. */
async function recorded(policy_id: string) {
  const rows = await h.app.db
    .selectFrom("audit_log")
    .select("details")
    .where("subject_id", "=", policy_id)
    .where("action", "=", "policy.applied")
    .orderBy("id")
    .execute();
  return rows.map(({ details }) => {
    const { added, updated, removed } = details as Record<string, number>;
    return { added, updated, removed };
  });
}
