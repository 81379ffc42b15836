import { beforeAll, expect, test } from "vitest";
import { maxReadings } from "../../src/pipeline/measure/reading-budget.ts";
import { atLeast, emits, freshWorld, tokenAddress, transferSignature } from "../pipeline/world.ts";
import { type Harness, harness, type Person } from "../support/harness.ts";

const crowd = Array.from({ length: 6_000 }, (_, n) => n);
/** So many targets that the share of each is less than the crowd. */
const all = Array.from({ length: 5 }, (_, n) => `value >= ${-n}`);
const last = "value == 5999";
const long = Array.from({ length: 110 }, (_, n) => `value > ${n + 1}e30`).join(" or ");

let h: Harness;
beforeAll(async () => {
  h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
});

test.runIf(process.env.TEST_LONG)(
  "targets with too many readings in a block share the budget of their organisation, and say so, also after a reorganisation",
  async () => {
    const world = await freshWorld(h);
    const other = await h.person();
    const [alone = ""] = await watch(other, ["value < 1000"]);
    const ids = await watch(world.owner, [...all, last]);
    const rule = await world.rule(ids.at(-1) ?? "", atLeast(1));
    await world.catchUp();
    const before = world.chain.tip;
    const transaction = emits(...crowd);
    world.chain.mine([transaction]);
    await world.catchUp();

    // A target with few readings keeps all of them, and the budget of another organisation is its own.
    const share = Math.floor((maxReadings - 1) / all.length);
    const expected = [...all.map(() => share), 1];
    expect(await samplesOf(ids)).toEqual(expected);
    expect(await samplesOf([alone])).toEqual([1_000]);
    const said = (await targetsOf(world.owner)).filter(({ status_reason }) => status_reason !== null);
    expect(said).toHaveLength(all.length);
    for (const { status_reason } of said)
      expect(status_reason).toMatch(`only the latest ${share} of 6000 readings were counted`);
    expect((await targetsOf(other)).map(({ status_reason }) => status_reason)).toEqual([null]);

    world.chain.mine([transaction], { on: before, salt: 1 });
    world.chain.mine();
    await world.restart();
    await world.catchUp();
    expect(await samplesOf(ids)).toEqual(expected);
    expect((await world.events()).filter((event) => event.rule_id === rule)).toHaveLength(1);
  },
);

test("long expressions are compared with the latest events of a crowded block only, and short ones of the organisation with all", async () => {
  const world = await freshWorld(h);
  const ids = await watch(world.owner, [last, "value >= 5000", long, `${long} or ${last}`]);
  await world.catchUp();
  world.chain.mine([emits(...crowd)]);
  await world.catchUp();
  expect(await samplesOf(ids)).toEqual([1, 1_000, 0, 1]);
  const reasons = new Map((await targetsOf(world.owner)).map(({ id, status_reason }) => [id, status_reason]));
  const compared = expect.stringMatching(/only the latest \d+ of 6001 calls and events were compared/);
  expect(ids.map((id) => reasons.get(id))).toEqual([null, null, compared, compared]);
});

async function watch(person: Person, filters: readonly string[]): Promise<string[]> {
  const selected_targets = filters.map((filter) => ({
    target_type: "event_frequency",
    config: { event_signature: transferSignature, filter },
  }));
  const body = { chain: "local", address: tokenAddress, label: "Token", selected_targets };
  expect((await person.client.post("/contracts", body)).status).toBe(200);
  const ids = new Map((await targetsOf(person)).map(({ id, config }) => [config.filter, id]));
  return filters.map((filter) => ids.get(filter) ?? "");
}

type Target = { id: string; config: { filter?: string }; status_reason: string | null };

async function targetsOf(person: Person): Promise<Target[]> {
  const [contract] = (await person.client.get("/contracts")).body as { id: string }[];
  return (await person.client.get(`/contracts/${contract?.id}/targets`)).body as Target[];
}

async function samplesOf(target_ids: readonly string[]): Promise<number[]> {
  const rows = await h.app.db
    .selectFrom("samples")
    .select((eb) => ["series_id", eb.fn.countAll<string>().as("count")])
    .where("series_id", "in", target_ids)
    .groupBy("series_id")
    .execute();
  return target_ids.map((id) => Number(rows.find(({ series_id }) => series_id === id)?.count ?? 0));
}
