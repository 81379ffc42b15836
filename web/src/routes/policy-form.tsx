import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { SelectorFields, toSelector, toSelectorForm } from "@/features/policies/selector-fields.tsx";
import { ComparisonFields } from "@/features/rules/comparison-fields.tsx";
import { emptyForm, type RuleForm, toBody, toForm } from "@/features/rules/form-values.ts";
import { NotifyFields } from "@/features/rules/notify-fields.tsx";
import { api, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { channelsQuery } from "@/queries/channels.ts";
import { chainsQuery, contractsQuery, targetTypesQuery } from "@/queries/contracts.ts";
import type { Policy } from "@/queries/policies.ts";
import { Card } from "@/ui/card.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";
import type { JsonSchema } from "@/ui/form/schema-fields.ts";
import { SchemaForm } from "@/ui/form/schema-form.tsx";
import { toast } from "@/ui/toast.tsx";

/** Which contracts, what is measured on them, and the rule: of a new policy, or of one that is changed. */
export function PolicyForm({ policy }: { policy?: Policy }) {
  const navigate = useNavigate();
  const org = useOrg();
  const mayEdit = useCanEdit();
  const client = useQueryClient();
  const { data: contracts } = useSuspenseQuery(contractsQuery(org));
  const { data: chains } = useSuspenseQuery(chainsQuery(org));
  const { data: channels } = useSuspenseQuery(channelsQuery(org));
  const { data: types } = useSuspenseQuery(targetTypesQuery);
  const [name, setName] = useState(policy?.name ?? "");
  const [selector, setSelector] = useState(() => toSelectorForm(policy?.selector ?? {}));
  const [target_type, setType] = useState<string>(policy?.target.target_type ?? types[0]?.target_type ?? "");
  const [form, setForm] = useState<RuleForm>(() =>
    policy ? toRuleForm(policy) : { ...emptyForm, channel_ids: channels.slice(0, 1).map(({ id }) => id) },
  );
  const set = (change: Partial<RuleForm>) => setForm((old) => ({ ...old, ...change }));
  const type = types.find((type) => type.target_type === target_type);
  const isSameType = target_type === policy?.target.target_type;
  async function save(config: Record<string, unknown>) {
    const target = { target_type, ...(Object.keys(config).length > 0 && { config }) };
    // The form was made from the schema of the type, which the compiler does not know.
    const body = {
      name: name.trim(),
      selector: toSelector(selector),
      target,
      rule: { ...valuesWithoutInput(policy), ...toRule(form) },
    } as Schemas["PolicyCreate"];
    await (policy
      ? api.PATCH("/api/v1/policies/{policy_id}", { params: { path: { policy_id: policy.id } }, body })
      : api.POST("/api/v1/policies", { body }));
    await client.invalidateQueries({ queryKey: keys(org).policies });
    void client.invalidateQueries({ queryKey: keys(org).rules });
    toast.done(`The policy is saved. Its rules are being ${policy ? "changed" : "added"}.`);
    void navigate({ to: "/policies" });
  }
  return (
    <fieldset disabled={!mayEdit} className="min-w-0">
      <SchemaForm
        schema={(type?.config_schema ?? {}) as JsonSchema}
        at="target.config"
        values={isSameType ? ((policy?.target.config as Record<string, unknown>) ?? {}) : {}}
        action={policy ? "Save policy" : "Create policy"}
        onSubmit={save}
        before={(errors) => (
          <Card title="For which contracts">
            <div className="space-y-4">
              <TextField
                name="name"
                label="Name of the policy"
                value={name}
                onChange={({ target }) => setName(target.value)}
                error={errors.name}
                maxLength={200}
              />
              <SelectorFields
                form={selector}
                set={setSelector}
                errors={errors}
                contracts={contracts}
                chains={chains}
              />
            </div>
          </Card>
        )}
        frame={(inputs, errors) => {
          const ofRule = under(errors, "rule");
          return (
            <>
              <Card title="What is measured">
                <div className="space-y-4">
                  <SelectField
                    label="What to measure"
                    value={target_type}
                    onChange={({ target }) => setType(target.value)}
                    error={errors["target.target_type"]}
                    options={types.map((type) => ({ value: type.target_type, label: type.title }))}
                    help={type && `${type.description} Unit: ${type.unit}.`}
                  />
                  <div key={target_type} className="space-y-4">
                    {inputs}
                  </div>
                </div>
              </Card>
              <Card title="When">
                <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
                  <ComparisonFields
                    form={form}
                    set={set}
                    errors={ofRule}
                    path="condition"
                    type={type}
                    unit={type?.unit}
                  />
                </div>
              </Card>
              <Card title="Then">
                <NotifyFields form={form} set={set} errors={ofRule} channels={channels} />
              </Card>
            </>
          );
        }}
      />
    </fieldset>
  );
}

function toRuleForm({ rule }: Policy): RuleForm {
  return toForm({ ...rule, name: rule.name ?? "", target_id: "" });
}

function toRule(form: RuleForm) {
  const { target_id: _, ...rule } = toBody(form);
  return rule;
}

/** A change replaces the rule as a whole, so that what has no input is sent as it was. */
function valuesWithoutInput(policy: Policy | undefined) {
  if (!policy) return {};
  const { agent_id, confirmations } = policy.rule;
  return { agent_id, confirmations };
}

/** The errors of one field of the request, by their path inside it. */
function under(errors: Record<string, string>, field: string): Record<string, string> {
  const fieldErrors = Object.entries(errors).filter(([name]) => name.startsWith(`${field}.`));
  return Object.fromEntries(fieldErrors.map(([name, text]) => [name.slice(field.length + 1), text]));
}
