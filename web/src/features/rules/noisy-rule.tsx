import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { limitText, ruleText } from "@/features/rules/sentence.ts";
import { api, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { formatValue } from "@/lib/text/units.ts";
import { targetTypesQuery } from "@/queries/contracts.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { SeverityBadge } from "@/ui/severity.tsx";
import { toast } from "@/ui/toast.tsx";

type NoisyRule = Schemas["NoisyRule"];

/** A rule that fires often: how often, how many people reacted, and what would make it quieter. */
export function NoisyRuleItem({ rule }: { rule: NoisyRule }) {
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const { data: types = [] } = useQuery(targetTypesQuery);
  const { suggested_threshold, condition } = rule;
  const limit = (threshold: number | undefined) => limitText(condition.operator, threshold, undefined);
  const change = useMutation({
    mutationFn: (body: Schemas["AlertRuleUpdate"]) =>
      api.PATCH("/api/v1/alerts/{rule_id}", { params: { path: { rule_id: rule.rule_id } }, body }),
    onSuccess: (_, { mode, condition: next }) =>
      toast.done(
        mode
          ? `${rule.name} is in ${mode} mode: ${mode === "shadow" ? "it records alerts and notifies nobody." : "it notifies again."}`
          : `The limit of ${rule.name} is ${limit(next?.threshold)} now.`,
      ),
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).rules }),
  });
  const isShadow = rule.mode === "shadow";
  return (
    <li className="space-y-2 px-4 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to="/rules/$id"
          params={{ id: rule.rule_id }}
          className="font-medium wrap-break-word hover:underline"
        >
          {rule.name}
        </Link>
        <SeverityBadge severity={rule.severity} />
        {isShadow && <Badge>shadow</Badge>}
      </p>
      <p className="text-sm text-muted">
        {rule.contract_label}. {ruleText(rule, types)}
      </p>
      <p className="text-sm">
        <b className="font-medium">
          {rule.events} {rule.events === 1 ? "alert" : "alerts"}
        </b>
        , {formatValue(Math.round(rule.fires_per_day * 10) / 10)} a day; {rule.acknowledged} acknowledged.{" "}
        {suggested_threshold === null
          ? rule.reason
          : `With a limit of ${limit(suggested_threshold)} it would have fired at most once a day.`}
      </p>
      {mayEdit && (
        <div className="flex flex-wrap gap-2">
          {suggested_threshold !== null && suggested_threshold !== condition.threshold && (
            <Button
              isSmall
              look="primary"
              isBusy={change.isPending}
              onClick={() => change.mutate({ condition: { ...condition, threshold: suggested_threshold } })}
            >
              Set the limit to {limit(suggested_threshold)}
            </Button>
          )}
          <Button
            isSmall
            isBusy={change.isPending}
            onClick={() => change.mutate({ mode: isShadow ? "live" : "shadow" })}
          >
            {isShadow ? "Notify again" : "Switch to shadow"}
          </Button>
        </div>
      )}
    </li>
  );
}
