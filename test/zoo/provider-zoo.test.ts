import { test } from "vitest";
import { harness } from "../support/harness.ts";
import { behaviours } from "./behaviours.ts";
import { type Cage, visit } from "./visit.ts";

// Most of the time is spent waiting, so several members are visited at once, each with a service of its own.
const env = Object.fromEntries(
  ["LOCAL", "ETHEREUM", "CELO", "SEI", "ZKSYNC", "ARBITRUM", "POLYGON"].map((key) => [
    `RPC_${key}`,
    "http://127.0.0.1:1",
  ]),
);
const cages: Cage[] = await Promise.all(
  [1, 2, 3, 4].map(async () => {
    const h = await harness({ env });
    const owner = await h.person();
    await h.setTier(owner.org_id, "enterprise");
    return { h, owner };
  }),
);

/** Each cage is visited by one test at a time. */
const visits = cages.map(() => Promise.resolve());

test.concurrent.each(behaviours.map((behaviour, index) => [behaviour.name, behaviour, index] as const))(
  "no alert is lost, invented or delayed by a provider that %s",
  async (_, behaviour, index) => {
    const lane = index % cages.length;
    const earlier = visits[lane];
    const own = Promise.resolve(earlier).then(() => visit(cages[lane] as Cage, behaviour, index + 1));
    visits[lane] = own.catch(() => undefined);
    await own;
  },
  // A visit waits for the earlier ones of its cage.
  600_000,
);
