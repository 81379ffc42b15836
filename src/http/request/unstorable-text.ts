import { type Issue, maxIssues } from "../../errors/app-error.ts";
import { textProblem } from "../../lib/text.ts";

/**
 * Finds text that the database cannot store, at any depth; the parser has limited the depth. Stops after the reported
 * number of issues and one more.
 */
export function findUnstorable(value: unknown, place: string): Issue[] {
  const issues: Issue[] = [];
  const loc: (string | number)[] = [place];
  visit(value, loc, issues);
  return issues;
}

/** Visits a value; `loc` is its location and is restored afterwards, so that a valid value costs no copy of it. */
function visit(value: unknown, loc: (string | number)[], issues: Issue[]): void {
  if (issues.length > maxIssues) return;
  if (typeof value === "string") report(textProblem(value), loc, issues);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    // An iterator makes a pair for each item, which takes most of the time of a long list.
    for (let index = 0; index < value.length; index++) visitItem(index, value[index], loc, issues);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const problem = textProblem(name);
    if (problem) report(`a property name ${problem}`, loc, issues);
    else visitItem(name, item, loc, issues);
  }
}

function visitItem(step: string | number, item: unknown, loc: (string | number)[], issues: Issue[]): void {
  loc.push(step);
  visit(item, loc, issues);
  loc.pop();
}

function report(problem: string | undefined, loc: (string | number)[], issues: Issue[]): void {
  if (problem && issues.length <= maxIssues)
    issues.push({ loc: [...loc], msg: problem, type: "string_unicode" });
}
