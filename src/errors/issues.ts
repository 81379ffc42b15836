import type { z } from "zod";
import { type Issue, maxIssues } from "./app-error.ts";

type ZodIssue = z.core.$ZodIssue;

/** Converts zod issues to the format of the API: those that are reported, and one more if there are more. */
export function toIssues(error: z.ZodError, root: string, value: unknown): Issue[] {
  const issues: Issue[] = [];
  for (const issue of error.issues) {
    if (issues.length > maxIssues) break;
    issues.push(...fromZod(issue, [root], value));
  }
  return issues.slice(0, maxIssues + 1);
}

function fromZod(issue: ZodIssue, prefix: (string | number)[], value: unknown): Issue[] {
  const loc = [...prefix, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, maxIssues + 1).map((key) => ({
      loc: [...loc, key],
      msg: "is not a known field",
      type: "extra_forbidden",
    }));
  }
  if (issue.code === "invalid_type" && isMissing(issue, value)) {
    return [{ loc, msg: "is required", type: "missing" }];
  }
  return [{ loc, ...describeIssue(issue) }];
}

function isMissing(issue: ZodIssue, value: unknown): boolean {
  const last = issue.path.at(-1);
  if (last === undefined) return value === undefined;
  let parent: unknown = value;
  for (const step of issue.path.slice(0, -1)) parent = (parent as Record<PropertyKey, unknown>)[step];
  return (parent as Record<PropertyKey, unknown>)[last] === undefined;
}

function describeIssue(issue: ZodIssue): { msg: string; type: string } {
  switch (issue.code) {
    case "too_small":
      return describeSize(issue.origin, "short", "at least", issue.minimum, "greater_than_equal");
    case "too_big":
      return describeSize(issue.origin, "long", "at most", issue.maximum, "less_than_equal");
    case "invalid_type":
      return { msg: `must be ${withArticle(issue.expected)}`, type: `${issue.expected}_type` };
    case "invalid_value":
      return { msg: `must be one of ${issue.values.map(String).join(", ")}`, type: "enum" };
    case "invalid_format":
      return { msg: describeFormat(issue), type: `${issue.format}_parsing` };
    default:
      return { msg: issue.message, type: "value_error" };
  }
}

function describeSize(
  origin: string,
  tooWhat: string,
  bound: string,
  limit: number | bigint,
  numberType: string,
) {
  if (origin === "string")
    return { msg: `must have ${bound} ${limit} characters`, type: `string_too_${tooWhat}` };
  if (origin === "array") return { msg: `must have ${bound} ${limit} items`, type: `too_${tooWhat}` };
  return { msg: `must be ${bound} ${limit}`, type: numberType };
}

function describeFormat(issue: Extract<ZodIssue, { code: "invalid_format" }>): string {
  const messages: Record<string, string> = {
    uuid: "must be a UUID",
    email: "must be an e-mail address",
    datetime: "must be an ISO-8601 date-time, such as 2026-11-15T09:30:00Z",
  };
  return messages[issue.format] ?? issue.message;
}

function withArticle(expected: string): string {
  const names: Record<string, string> = { int: "a whole number", number: "a number", record: "an object" };
  return names[expected] ?? `${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`;
}
