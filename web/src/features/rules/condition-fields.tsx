import { ComparisonFields } from "@/features/rules/comparison-fields.tsx";
import type { RuleForm } from "@/features/rules/form-values.ts";
import { firstSentence } from "@/lib/text/first-sentence.ts";
import type { Contract, Target, TargetType } from "@/queries/contracts.ts";
import { SelectField, TextField } from "@/ui/form/field.tsx";

type Props = {
  form: RuleForm;
  set: (change: Partial<RuleForm>) => void;
  errors: Record<string, string>;
  contracts: Contract[];
  contract: string;
  onContract: (id: string) => void;
  targets: Target[];
  type: TargetType | undefined;
};

/** "When … on … is above … per …": the condition as a sentence of inputs. */
export function ConditionFields({
  form,
  set,
  errors,
  contracts,
  contract,
  onContract,
  targets,
  type,
}: Props) {
  const target = targets.find(({ id }) => id === form.target_id);
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <SelectField
        label="Contract"
        value={contract}
        onChange={({ target: input }) => onContract(input.value)}
        options={[
          { value: "", label: "Choose a contract" },
          ...contracts.map(({ id, label }) => ({ value: id, label })),
        ]}
      />
      <SelectField
        label="Value"
        value={form.target_id}
        onChange={({ target: input }) => set({ target_id: input.value })}
        error={errors.target_id}
        options={[
          { value: "", label: targets.length === 0 ? "No targets" : "Choose a target" },
          ...targets.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        help={type && firstSentence(type.description)}
      />
      <ComparisonFields
        form={form}
        set={set}
        errors={errors}
        path="condition"
        type={type}
        unit={target?.unit}
      />
      <TextField
        label="For at least (seconds)"
        inputMode="numeric"
        value={form.for_seconds}
        onChange={({ target: input }) => set({ for_seconds: input.value })}
        error={errors.for_seconds}
        help="0 fires at once."
      />
      {type && type.description !== firstSentence(type.description) && (
        <details className="col-span-full text-sm">
          <summary className="text-accent">What “{target?.name ?? type.title}” measures exactly</summary>
          <p className="mt-1 max-w-prose text-muted">{type.description}</p>
        </details>
      )}
    </div>
  );
}
