import { expect, test } from "vitest";
import type { z } from "zod";
import { PolicyCreate } from "./alerts/policies.ts";
import { RuleCreate, RuleUpdate } from "./alerts/rules.ts";
import { ContractCreate } from "./contracts/contracts.ts";
import { TargetCreate, TargetUpdate } from "./contracts/targets.ts";
import { ConfigDocument } from "./imports/configuration.ts";

const id = "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42";
const address = "0x00000000000000000000000000000000000000aa";

/** A target and a condition of about this length. */
function definitions(length: number) {
  const clause = { signature: "s".repeat(400), expression: "e".repeat(1_600) };
  const events = Array.from({ length: Math.floor(length / 2_000) }, () => clause);
  const target = { target_type: "no_such_type", config: { text: "c".repeat(length) } };
  const condition = { operator: "gt", threshold: 1, match: { events } };
  return { target, condition, rule: { severity: "info", condition, record_only: true } };
}

const bodies: [string, z.ZodType, (given: ReturnType<typeof definitions>) => unknown][] = [
  ["a new target", TargetCreate, ({ target }) => target],
  ["a changed target", TargetUpdate, ({ target: { config } }) => ({ config })],
  [
    "a new contract",
    ContractCreate,
    ({ target }) => ({ chain: "ethereum", address, selected_targets: [target] }),
  ],
  ["a new rule", RuleCreate, ({ rule }) => ({ ...rule, target_id: id })],
  ["a changed rule", RuleUpdate, ({ condition }) => ({ condition })],
  ["the target of a policy", PolicyCreate, ({ target }) => ({ ...policy(target, definitions(0).rule) })],
  ["the rule of a policy", PolicyCreate, ({ rule }) => ({ ...policy({ target_type: "tx_rate" }, rule) })],
  [
    "a document",
    ConfigDocument,
    ({ target, rule }) => ({
      version: 1,
      contracts: [
        { chain: "ethereum", address, targets: [{ ...target, rules: [{ ...rule, name: "Rule" }] }] },
      ],
    }),
  ],
];

function policy(target: object, rule: object) {
  return { name: "Policy", selector: {}, target, rule };
}

test.each(bodies)(
  "%s accepts definitions of 30,000 characters and rejects those of 40,000",
  (_, schema, bodyOf) => {
    expect(schema.safeParse(bodyOf(definitions(30_000))).error).toBeUndefined();
    const { error } = schema.safeParse(bodyOf(definitions(40_000)));
    expect(error?.issues.map(({ message }) => message)).toContain(
      "must have at most 32768 characters as JSON; shorten or divide it",
    );
  },
);

test("the targets that are created with a contract may have 64 KiB together", () => {
  const target = { target_type: "no_such_type", config: { text: "c".repeat(20_000) } };
  const withTargets = (count: number) => ({
    chain: "ethereum",
    address,
    selected_targets: Array(count).fill(target),
  });
  expect(ContractCreate.safeParse(withTargets(3)).error).toBeUndefined();
  expect(ContractCreate.safeParse(withTargets(4)).error?.issues.map(({ message }) => message)).toEqual([
    "must have at most 65536 characters together as JSON; create the others later",
  ]);
});
