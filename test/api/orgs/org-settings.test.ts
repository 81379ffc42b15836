import { expect, test } from "vitest";
import type { Tier } from "../../../src/wire/primitives.ts";
import { harness, type Person } from "../../support/harness.ts";
import { join, teamAdmin } from "../steps.ts";

const h = await harness();

const bounds: [tier: Tier, min: number, usual: number, max: number][] = [
  ["free", 60, 300, 3600],
  ["pro", 30, 60, 3600],
  ["team", 15, 30, 3600],
  ["enterprise", 5, 15, 3600],
];

const path = ({ org_id }: Person) => `/orgs/${org_id}/settings`;
const read = async (person: Person) => (await person.client.get(path(person))).body;
const set = (person: Person, polling_interval_seconds: unknown) =>
  person.client.patch(path(person), { polling_interval_seconds });
const settings = (interval: number, min: number, max = 3600) => ({
  polling_interval_seconds: interval,
  min_polling_interval_seconds: min,
  max_polling_interval_seconds: max,
});

async function personOn(tier: Tier): Promise<Person> {
  const person = await h.personOn(tier);
  return person;
}

test.each(bounds)(
  "the %s tier has a minimum polling interval of %d seconds and a default of %d",
  async (tier, min, byDefault, max) => {
    expect(await read(await personOn(tier))).toEqual(settings(byDefault, min, max));
  },
);

test.each(bounds)(
  "the %s tier accepts polling intervals within its bounds only",
  async (tier, min, _usual, max) => {
    const admin = await personOn(tier);
    for (const interval of [min, min + 1, max]) {
      expect(await set(admin, interval)).toMatchObject({ status: 200, body: settings(interval, min, max) });
      expect(await read(admin)).toEqual(settings(interval, min, max));
    }
    for (const [interval, type] of [
      [min - 1, "greater_than_equal"],
      [0, "greater_than_equal"],
      [-min, "greater_than_equal"],
      [max + 1, "less_than_equal"],
    ] as const) {
      expect(await set(admin, interval)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["body", "polling_interval_seconds"], type }] },
      });
    }
    expect(await read(admin)).toEqual(settings(max, min, max));
  },
);

test.each([30.5, "30", null, 1e300, Number.MAX_SAFE_INTEGER])(
  "the polling interval %j gets 422",
  async (interval) => {
    expect((await set(await personOn("team"), interval)).status).toBe(422);
  },
);

test("a settings update requires the interval and rejects unknown fields", async () => {
  const admin = await personOn("team");
  for (const body of [
    {},
    { polling_interval_seconds: 60, colour: "red" },
    { min_polling_interval_seconds: 1 },
  ]) {
    expect((await admin.client.patch(path(admin), body)).status).toBe(422);
  }
});

test("a downgrade raises the interval to the tier's minimum, and an upgrade restores it", async () => {
  const admin = await personOn("enterprise");
  await set(admin, 5);
  for (const [tier, min] of bounds) {
    await h.setTier(admin.org_id, tier);
    expect(await read(admin)).toEqual(settings(min, min));
  }
});

test("an interval that the lower tier allows is kept after a downgrade", async () => {
  const admin = await personOn("enterprise");
  await set(admin, 900);
  await h.setTier(admin.org_id, "free");
  expect(await read(admin)).toEqual(settings(900, 60));
});

test("an org without a chosen interval uses the default of its tier", async () => {
  const admin = await h.person();
  for (const [tier, min, byDefault] of bounds) {
    await h.setTier(admin.org_id, tier);
    expect(await read(admin)).toEqual(settings(byDefault, min));
  }
});

test("every member can read the settings of the org", async () => {
  const admin = await teamAdmin(h);
  await set(admin, 45);
  for (const role of ["viewer", "member", "admin"] as const) {
    const person = await join(h, admin, role);
    expect((await person.client.get(path(admin))).body).toEqual(settings(45, 15));
  }
});

test("changing the settings of one org does not change another's", async () => {
  const [ada, bob] = [await personOn("team"), await personOn("team")];
  await set(ada, 100);
  expect(await read(bob)).toEqual(settings(30, 15));
});
