import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { RuleForm } from "@/features/rules/form-values.ts";
import { MatchFields } from "@/features/rules/match-fields.tsx";
import { OtherConditions } from "@/features/rules/other-conditions.tsx";
import { useOrg } from "@/lib/session.ts";
import { abiNames } from "@/lib/text/abi-names.ts";
import { type Contract, inspectionQuery, type Target, type TargetType } from "@/queries/contracts.ts";

type Props = {
  form: RuleForm;
  set: (change: Partial<RuleForm>) => void;
  errors: Record<string, string>;
  contract: Contract | undefined;
  targets: Target[];
  types: TargetType[];
};

/** What few rules need: a filter, groups and conditions on other targets. They unfold when used or wrong. */
export function FurtherFields({ form, set, errors, contract, targets, types }: Props) {
  const { match, group_by, others } = form;
  const hasError = (...paths: string[]) =>
    Object.keys(errors).some((name) => paths.some((path) => `${name}.`.startsWith(`${path}.`)));
  const isFiltered =
    match.events.length > 0 || match.functions.length > 0 || match.status !== "" || match.expression !== "";
  return (
    <div className="mt-4 space-y-2">
      <Folded
        title="Filter transactions, or count by sender or argument"
        isNeeded={isFiltered || group_by !== "" || hasError("condition.match", "condition.group_by")}
      >
        {contract && <NamedMatchFields contract={contract} form={form} set={set} errors={errors} />}
      </Folded>
      <Folded
        title="Conditions on other values"
        isNeeded={others.length > 0 || hasError("condition.all", "condition.any")}
      >
        <OtherConditions form={form} set={set} errors={errors} targets={targets} types={types} />
      </Folded>
    </div>
  );
}

function NamedMatchFields({
  contract,
  form,
  set,
  errors,
}: Pick<Props, "form" | "set" | "errors"> & { contract: Contract }) {
  const { data: inspection } = useQuery(inspectionQuery(useOrg(), contract));
  return (
    <MatchFields
      match={form.match}
      set={(match) => set({ match })}
      groupBy={form.group_by}
      setGroupBy={(group_by) => set({ group_by })}
      errors={errors}
      names={abiNames(inspection?.abi ?? [])}
    />
  );
}

/** A section that is rendered only while it is open. */
function Folded({ title, isNeeded, children }: { title: string; isNeeded: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(isNeeded);
  // An error in it opens it; it can be closed again once there is none.
  const isShown = isOpen || isNeeded;
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-sm text-accent">{title}</summary>
      {isShown && <div className="mt-3">{children}</div>}
    </details>
  );
}
