import type { RuleForm } from "@/features/rules/form-values.ts";
import {
  aggregationWords,
  hasTwoThresholds,
  isWithoutThreshold,
  operatorWords,
} from "@/features/rules/sentence.ts";
import type { Contract, Target, TargetType } from "@/queries/contracts.ts";
import { SelectField, TextField } from "@/ui/form/field.tsx";

const windows = [
  { value: "60", label: "1 min" },
  { value: "300", label: "5 min" },
  { value: "900", label: "15 min" },
  { value: "3600", label: "1 hour" },
  { value: "21600", label: "6 hours" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
];

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
  const isEach =
    form.aggregation === "each" || (form.aggregation === "" && type?.default_aggregation === "each");
  const known = windows.some(({ value }) => value === form.window_seconds);
  const value = (name: keyof RuleForm & ("threshold" | "threshold_high")) => ({
    value: form[name],
    onChange: ({ target: input }: { target: { value: string } }) => set({ [name]: input.value }),
    inputMode: "decimal" as const,
  });
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
        help={type?.description}
      />
      <SelectField
        label="Looking at"
        value={form.aggregation}
        onChange={({ target: input }) => set({ aggregation: input.value as RuleForm["aggregation"] })}
        error={errors["condition.aggregation"]}
        options={[
          {
            value: "",
            label: `the usual (${type ? (aggregationWords[type.default_aggregation as "each"] ?? type.default_aggregation) : "of the target"})`,
          },
          ...Object.entries(aggregationWords).map(([name, label]) => ({ value: name, label })),
        ]}
      />
      {isEach ? (
        <div />
      ) : (
        <SelectField
          label="Over the last"
          value={form.window_seconds}
          onChange={({ target: input }) => set({ window_seconds: input.value })}
          error={errors["condition.window_seconds"]}
          options={[
            ...windows,
            ...(known
              ? []
              : [
                  {
                    value: form.window_seconds,
                    label: form.window_seconds ? `${form.window_seconds} s` : "the usual",
                  },
                ]),
          ]}
        />
      )}
      <SelectField
        label="Condition"
        value={form.operator}
        onChange={({ target: input }) => set({ operator: input.value as RuleForm["operator"] })}
        error={errors["condition.operator"]}
        options={Object.entries(operatorWords).map(([name, label]) => ({ value: name, label }))}
      />
      {!isWithoutThreshold(form.operator) && (
        <TextField
          label={hasTwoThresholds(form.operator) ? "From" : "Limit"}
          {...value("threshold")}
          error={errors["condition.threshold"]}
          help={target?.unit ?? type?.unit}
        />
      )}
      {hasTwoThresholds(form.operator) && (
        <TextField label="To" {...value("threshold_high")} error={errors["condition.threshold_high"]} />
      )}
      <TextField
        label="For at least (seconds)"
        inputMode="numeric"
        value={form.for_seconds}
        onChange={({ target: input }) => set({ for_seconds: input.value })}
        error={errors.for_seconds}
        help="0 fires at once."
      />
    </div>
  );
}
