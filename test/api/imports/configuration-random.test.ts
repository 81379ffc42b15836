import fc from "fast-check";
import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import { freshAddress } from "../contracts/contract-steps.ts";
import { teamAdmin } from "../steps.ts";
import { applyOk, exportConfig } from "./configuration-steps.ts";

const h = await harness();

/** Random documents with repeated names and missing fields. */
const documents = (() => {
  const name = fc.constantFrom("A", "B", "Ärger", "a b");
  const withRecipients = <Given extends { channels: string[] }>(given: Given) => ({
    ...given,
    record_only: given.channels.length === 0,
  });
  const rules = fc.array(
    fc
      .record(
        {
          name,
          severity: fc.constantFrom("info", "warning", "critical"),
          condition: fc.record({
            operator: fc.constantFrom("gt", "lt"),
            threshold: fc.integer({ min: -5, max: 5 }),
            window_seconds: fc.constantFrom(60, 300),
          }),
          external_ref: fc.constantFrom("x:1", "x:2", null),
          channels: fc.uniqueArray(fc.constantFrom("One", "Two"), { maxLength: 2 }),
          cooldown_seconds: fc.constantFrom(0, 300),
          mode: fc.constantFrom("live", "shadow"),
          confirmations: fc.constantFrom(null, 3, "finalized"),
          is_enabled: fc.boolean(),
        },
        { noNullPrototype: true },
      )
      .map(withRecipients),
    { maxLength: 3 },
  );
  const many = fc.record(
    {
      target_type: fc.constantFrom("event_frequency", "unknown_type"),
      name,
      config: fc.record({ event_signature: fc.constantFrom("A()", "B(uint256)") }, { noNullPrototype: true }),
      is_enabled: fc.boolean(),
      rules,
    },
    { noNullPrototype: true },
  );
  const single = fc.record(
    { target_type: fc.constantFrom("tx_rate", "inactivity"), is_enabled: fc.boolean(), rules },
    { requiredKeys: ["target_type"], noNullPrototype: true },
  );
  const contract = fc.record(
    {
      chain: fc.constant("local"),
      address: fc.constantFrom(...Array.from({ length: 4 }, () => freshAddress())),
      label: name,
      category: fc.constantFrom("dex", "other"),
      is_paused: fc.boolean(),
      labels: fc.uniqueArray(fc.record({ value: name }, { noNullPrototype: true }), {
        selector: ({ value }) => value.toLowerCase(),
      }),
      targets: fc
        .tuple(
          fc.array(many, { maxLength: 3 }),
          fc.uniqueArray(single, { selector: (one) => one.target_type }),
        )
        .map((lists) => lists.flat()),
    },
    { requiredKeys: ["chain", "address", "targets"], noNullPrototype: true },
  );
  return fc.uniqueArray(contract, { selector: ({ address }) => address, maxLength: 3 });
})();

test("any document: apply is idempotent, its export changes nothing, and pruning leaves only its contents", async () => {
  const owner = await teamAdmin(h);
  await h.setTier(owner.org_id, "enterprise");
  const channels = ["One", "Two"].map((name) => ({
    type: "email",
    name,
    config: { to: ["oncall@example.com"] },
    min_severity: "info",
    is_enabled: true,
  }));
  await fc.assert(
    fc.asyncProperty(documents, fc.boolean(), async (contracts, prune) => {
      const document = { version: 1, channels, contracts, prune };
      const planned = await applyOk(owner, document, true);
      const first = await applyOk(owner, document);
      expect({ ...planned, dry_run: false }).toEqual(first);
      expect((await applyOk(owner, document)).changes).toEqual([]);
      const out = await exportConfig(owner);
      expect((await applyOk(owner, { ...out, prune: true })).changes).toEqual([]);
      expect(await exportConfig(owner)).toEqual(out);
      if (prune) expect(out.contracts).toHaveLength(contracts.length);
    }),
    { numRuns: runSize("CONFIGURATION_RUNS", { short: 4, long: 300 }), endOnFailure: false },
  );
});
