import type { z } from "zod";
import type { Issue } from "../../errors/app-error.ts";
import { toIssues } from "../../errors/issues.ts";
import { textProblem } from "../../lib/text.ts";
import { findUnstorable } from "./unstorable-text.ts";

/** Validates one part of a request (path, query or body) and returns its data or all its issues. */
export function checkPart(
  place: string,
  shape: z.ZodType,
  value: unknown,
): { data: unknown } | { issues: Issue[] } {
  const unstorable = findUnstorable(value, place);
  const result = shape.safeParse(value);
  if (result.success) return unstorable.length > 0 ? { issues: unstorable } : { data: result.data };
  const issues = toIssues(result.error, place, value).filter(isNotAmong(unstorable));
  return { issues: [...unstorable, ...issues] };
}

/** Excludes issues at locations that were already reported as unstorable text. */
function isNotAmong(reported: Issue[]): (issue: Issue) => boolean {
  const places = new Set(reported.map(({ loc }) => JSON.stringify(loc)));
  return ({ loc }) => !places.has(JSON.stringify(loc)) && !textProblem(String(loc.at(-1)));
}
