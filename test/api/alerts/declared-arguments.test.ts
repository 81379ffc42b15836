import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { addContract, addTarget, ruleBody } from "../contracts/contract-steps.ts";

const h = await harness();
const owner = await h.personOn("enterprise");

type Issue = { loc: (string | number)[]; msg: string };

/** Creates a rule on a new target and returns what is wrong with it. */
async function issuesOf(target: object, rule: object): Promise<string[]> {
  const { id } = await addTarget(owner, (await addContract(owner)).id, target);
  const { status, body } = await owner.client.post("/alerts", ruleBody(id, rule));
  if (status === 200) return [];
  return (body as { detail: Issue[] }).detail.map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}`);
}

const twice = { operator: "gte", threshold: 2, aggregation: "count" };
const tokens = { target_type: "large_transfer", config: { decimals: 18 } };

test.each([
  [tokens, "amount", "value"],
  [{ target_type: "ownership_change" }, "newOwnr", "newOwner"],
  [{ target_type: "governance_proposal" }, "propser", "proposer"],
  [{ target_type: "proxy_implementation" }, "implementaton", "implementation"],
  [{ target_type: "pause_state" }, "acount", "account"],
  [{ target_type: "configuration_change" }, "validater", "validator"],
])("an argument that the events of a target do not have is rejected: %o %s", async (target, wrong, right) => {
  const rule = (name: string) => ({
    condition: { ...twice, group_by: `args.${name}` },
    message_template: `Seen: {{args.${name}}}`,
  });
  expect(await issuesOf(target, rule(wrong))).toEqual([
    expect.stringMatching(new RegExp(`^condition.group_by is args.${wrong}, .* args.${right}\\b`)),
    expect.stringMatching(new RegExp(`^message_template uses {{args.${wrong}}}, .* args.${right}\\b`)),
  ]);
  expect(await issuesOf(target, rule(right))).toEqual([]);
  expect(await issuesOf(target, rule("$0"))).toEqual([]);
});

test("only the arguments of the events that a target counts exist", async () => {
  const target = { target_type: "ownership_change", config: { events: ["AddedOwner"] } };
  const message_template = "{{args.owner}} {{args.role}}";
  expect(await issuesOf(target, { condition: twice, message_template })).toEqual([
    expect.stringContaining("uses {{args.role}}, which does not exist"),
  ]);
});

test("the arguments of a call that transfers native currency may have any name", async () => {
  const target = { target_type: "large_transfer", config: { native: true } };
  expect(await issuesOf(target, { message_template: "{{args.anything}}" })).toEqual([]);
});

test("a placeholder in double braces that cannot be a variable is rejected with the nearest one", async () => {
  const message_template = "{{contract-label}} {{ args.to[0] }} {{}} {{#if value}} {{value}} {single}";
  expect(await issuesOf({ target_type: "tx_rate" }, { message_template })).toEqual([
    expect.stringMatching(/^message_template uses {{contract-label}}.*did you mean contract\.label\?/),
    expect.stringMatching(/^message_template uses {{args\.to\[0\]}}, which does not exist/),
    expect.stringMatching(/^message_template uses {{}}, which does not exist/),
    expect.stringMatching(/^message_template uses {{#if value}}, which does not exist/),
  ]);
});
