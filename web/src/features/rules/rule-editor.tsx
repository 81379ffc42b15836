import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { BackTest } from "@/features/rules/back-test.tsx";
import { ConditionFields } from "@/features/rules/condition-fields.tsx";
import { type RuleForm, toBody } from "@/features/rules/form-values.ts";
import { FurtherFields } from "@/features/rules/further-fields.tsx";
import { MessagePreview } from "@/features/rules/message-preview.tsx";
import { NotifyFields } from "@/features/rules/notify-fields.tsx";
import { conditionText, furtherText, shownLimit } from "@/features/rules/sentence.ts";
import { ApiError, api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import type { Channel } from "@/queries/channels.ts";
import { type Contract, type TargetType, targetsQuery } from "@/queries/contracts.ts";
import { ApiCall } from "@/ui/api-call.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { toast } from "@/ui/toast.tsx";

type Props = {
  /** Undefined for a new rule. */
  rule_id?: string;
  initial: RuleForm;
  initialContract: string;
  contracts: Contract[];
  channels: Channel[];
  types: TargetType[];
};

const unfinished = (
  <p className="text-sm text-muted">It is shown once every condition has the value that it is about.</p>
);

/** The sentence, then the proof, then who is notified. */
export function RuleEditor({ rule_id, initial, initialContract, contracts, channels, types }: Props) {
  const org = useOrg();
  const client = useQueryClient();
  const router = useRouter();
  const mayEdit = useCanEdit();
  const [form, setForm] = useState(initial);
  const [contract, setContract] = useState(initialContract);
  const set = (change: Partial<RuleForm>) => setForm((old) => ({ ...old, ...change }));
  const { data: targets = [] } = useQuery({ ...targetsQuery(org, contract), enabled: contract !== "" });
  const target = targets.find(({ id }) => id === form.target_id);
  const type = types.find(({ target_type }) => target_type === target?.target_type);
  const body = toBody(form);
  const { condition } = body;
  const isUnfinished = form.others.some((other) => other.target_id === "");
  const save = useMutation({
    mutationFn: () =>
      rule_id
        ? data(api.PATCH("/api/v1/alerts/{rule_id}", { params: { path: { rule_id } }, body }))
        : data(api.POST("/api/v1/alerts", { body })),
    onSuccess: async (rule) => {
      await client.invalidateQueries({ queryKey: keys(org).rules });
      void client.invalidateQueries({ queryKey: keys(org).contracts });
      toast.done(
        rule_id ? "The rule is saved." : `The rule ${rule.name} is on. It is evaluated from the next block.`,
      );
      void router.navigate({ to: "/rules" });
    },
  });
  const errors = save.error instanceof ApiError ? save.error.fields : {};
  return (
    <div className="space-y-4">
      <Card title="When">
        <ConditionFields
          form={form}
          set={set}
          errors={errors}
          contracts={contracts}
          contract={contract}
          onContract={(id) => {
            setContract(id);
            set({ target_id: "", others: [] });
          }}
          targets={targets}
          type={type}
        />
        {target && (
          <p className="mt-4 text-lg" role="status">
            When <b className="font-medium">{target.name}</b> on{" "}
            <b className="font-medium">{contracts.find(({ id }) => id === contract)?.label}</b>:{" "}
            {conditionText(condition, target.unit, type)}
            {furtherText(condition, targets)}.
            {condition.match && " Only transactions that match the filter count."}
          </p>
        )}
        {target && (
          <FurtherFields
            form={form}
            set={set}
            errors={errors}
            contract={contracts.find(({ id }) => id === contract)}
            targets={targets}
            types={types}
          />
        )}
      </Card>
      {target && mayEdit && (
        <Card title="Back-test">
          {isUnfinished ? (
            unfinished
          ) : (
            <BackTest
              target_id={target.id}
              condition={condition}
              for_seconds={Number(form.for_seconds) || 0}
              unit={target.unit}
              onSuggest={(threshold) => set({ threshold: String(shownLimit(form.operator, threshold)) })}
            />
          )}
        </Card>
      )}
      <Card title="Then">
        <NotifyFields form={form} set={set} errors={errors} channels={channels} />
      </Card>
      {target && mayEdit && (
        <Card title="Message">
          {isUnfinished ? unfinished : <MessagePreview body={body} channels={channels} />}
        </Card>
      )}
      {save.error && <ErrorText error={save.error} />}
      <div className="sticky bottom-14 z-10 flex flex-wrap gap-2 border-t border-line bg-bg py-3 sm:bottom-0">
        <Button
          look="primary"
          onClick={() => save.mutate()}
          isBusy={save.isPending}
          disabled={!mayEdit || form.target_id === ""}
        >
          {rule_id ? "Save rule" : "Create rule"}
        </Button>
      </div>
      <ApiCall
        call={
          rule_id
            ? { method: "PATCH", path: `/alerts/${rule_id}`, body }
            : { method: "POST", path: "/alerts", body }
        }
      />
    </div>
  );
}
