import { expect, test } from "vitest";
import { parseYaml } from "./parse-yaml.ts";

const merging = "defaults: &defaults {severity: high}\n";
const doubled = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} {<<: [*a${n}, *a${n}]}\n`).join(
  "",
);

// Without these limits, each of the documents takes from ten seconds to years.
test.each([
  ["lines of comments", "#\n".repeat(100_000)],
  ["lines of comments", `a:\n${"  # c\n".repeat(100_000)}`],
  ["anchors and aliases", `${merging}rules:\n${"  <<: *defaults\n".repeat(50_000)}`],
  ["anchors and aliases", `${merging}rules:\n  <<: [${"*defaults,".repeat(3_000)}]\n`],
  ["anchors and aliases", `a: &a 1\n${"- *a\n".repeat(100_000)}`],
  ["copy too much", `a0: &a0 {k: 1}\n${doubled}`],
  ["too many lines", "\n".repeat(1_000_000)],
  ["too many lines", `[${"1,".repeat(1_000_000)}1]`],
])("a YAML document that would take too long is rejected, naming its %s", (problem, text) => {
  expect(parseYaml(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test("a YAML document with comments, merge keys and aliases is read", () => {
  const text = `# rules\n${merging}${"# next\n".repeat(1_000)}rules:\n${"  - {<<: *defaults, name: x}\n".repeat(500)}`;
  const rules = Array.from({ length: 500 }, () => ({ severity: "high", name: "x" }));
  expect(parseYaml(text)).toEqual({ value: { defaults: { severity: "high" }, rules } });
});
