import type { Warning } from "../../imports/defender/monitor.ts";
import { conditionIssues } from "../alerts/rule-condition.ts";
import { loadSubject, type RuleSubject } from "../alerts/rule-subject.ts";
import type { WriteContext } from "../write-context.ts";
import type { ConvertedFilter } from "./import-filters.ts";

/**
 * Returns a function that reports the names in the expressions of a filter that do not exist. Signatures are not compared with
 * the contract, because the ABI of an export may be only a part of its interface.
 */
export function makeNameCheck({ app, tx, caller }: WriteContext) {
  const subjects = new Map<string, RuleSubject | undefined>();
  return async (contract_id: string, filter: ConvertedFilter): Promise<ConvertedFilter> => {
    const { match } = filter;
    if (!match) return filter;
    if (!subjects.has(contract_id))
      subjects.set(contract_id, await loadSubject(app, tx, caller.org_id, contract_id));
    const subject = subjects.get(contract_id);
    const naming = subject && { ...subject, events: undefined, functions: undefined };
    const issues = conditionIssues({ operator: "gte", match }, naming);
    if (issues.length === 0) return filter;
    const warnings = issues.map(
      ({ loc, msg }): Warning => ({
        code: "unknown_name",
        message: `The rule is disabled until it is corrected: ${loc.slice(1).join(".")} ${msg}.`,
      }),
    );
    return { ...filter, warnings: [...filter.warnings, ...warnings], isLost: true };
  };
}
