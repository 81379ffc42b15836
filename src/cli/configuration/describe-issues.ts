import type { Issue } from "../../errors/app-error.ts";

export function describeIssues(issues: readonly Issue[]): string {
  const lines = issues.map(({ loc, msg }) => `  ${loc.slice(1).join(".")}: ${msg}`);
  return ["the document cannot be applied.", ...lines].join("\n");
}
