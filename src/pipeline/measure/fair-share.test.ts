import fc from "fast-check";
import { expect, test } from "vitest";
import { fairShare } from "./fair-share.ts";

const demands = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 });

test("a fair share uses all of what is available or gives every demand all, and never more than is available", () => {
  fc.assert(
    fc.property(demands, fc.integer({ min: 1, max: 5000 }), (all, available) => {
      const share = fairShare(all, available);
      const given = all.reduce((sum, demand) => sum + Math.min(demand, share), 0);
      const wanted = all.reduce((sum, demand) => sum + demand, 0);
      expect(given).toBeCloseTo(Math.min(wanted, available), 6);
    }),
  );
});

test("a fair share does not depend on the order of the demands", () => {
  fc.assert(
    fc.property(demands, fc.integer({ min: 1, max: 5000 }), (all, available) => {
      expect(fairShare(all.toReversed(), available)).toBe(fairShare(all, available));
    }),
  );
});
