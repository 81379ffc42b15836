import { ComparisonFields } from "@/features/rules/comparison-fields.tsx";
import { emptyComparison, newKey, type OtherForm } from "@/features/rules/condition-values.ts";
import type { RuleForm } from "@/features/rules/form-values.ts";
import type { Target, TargetType } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/form/field.tsx";

type Props = {
  form: RuleForm;
  set: (change: Partial<RuleForm>) => void;
  errors: Record<string, string>;
  targets: Target[];
  types: TargetType[];
};

const maxOthers = 4;

/** Conditions on other targets of the same contract, which must hold as well, or of which one is enough. */
export function OtherConditions({ form, set, errors, targets, types }: Props) {
  const { others, combines } = form;
  const change = (key: number, part: Partial<OtherForm>) =>
    set({ others: others.map((other) => (other.key === key ? { ...other, ...part } : other)) });
  const whole = errors[`condition.${combines}`];
  return (
    <div className="space-y-4">
      <p className="text-sm text-muted">
        A rule can also look at other values of the same contract, such as many withdrawals while the balance
        is low.
      </p>
      {others.length > 0 && (
        <div className="w-full sm:w-80">
          <SelectField
            label="The rule fires when"
            value={combines}
            onChange={({ target }) => set({ combines: target.value as RuleForm["combines"] })}
            error={whole}
            options={[
              { value: "all", label: "all of these conditions hold" },
              { value: "any", label: "one of these conditions holds" },
            ]}
          />
        </div>
      )}
      {others.map((other, index) => {
        const target = targets.find(({ id }) => id === other.target_id);
        const type = types.find(({ target_type }) => target_type === target?.target_type);
        const path = `condition.${combines}.${index}`;
        return (
          <fieldset key={other.key} className="rounded border border-line p-3">
            <legend className="px-1 text-sm font-medium">Condition {index + 2}</legend>
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
              <SelectField
                label="Other value"
                value={other.target_id}
                onChange={({ target: input }) => change(other.key, { target_id: input.value })}
                error={
                  errors[`${path}.target_id`] && !other.target_id
                    ? "Choose the value that this condition is about."
                    : errors[`${path}.target_id`]
                }
                options={[
                  { value: "", label: "Choose a target" },
                  ...targets.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
              <ComparisonFields
                form={other}
                set={(part) => change(other.key, part)}
                errors={errors}
                path={path}
                type={type}
                unit={target?.unit}
                isWindowOnly
              />
            </div>
            <Button
              isSmall
              className="mt-3"
              onClick={() => set({ others: others.filter(({ key }) => key !== other.key) })}
            >
              Remove condition {index + 2}
            </Button>
          </fieldset>
        );
      })}
      {others.length < maxOthers && (
        <Button
          isSmall
          onClick={() => set({ others: [...others, { ...emptyComparison, key: newKey(), target_id: "" }] })}
        >
          Add condition
        </Button>
      )}
    </div>
  );
}
