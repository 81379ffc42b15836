import type { ComparisonForm } from "@/features/rules/condition-values.ts";
import {
  aggregationWords,
  hasTwoThresholds,
  isWithoutThreshold,
  limitUnit,
  operatorWords,
  usualAggregation,
} from "@/features/rules/sentence.ts";
import type { TargetType } from "@/queries/contracts.ts";
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
  form: ComparisonForm;
  set: (change: Partial<ComparisonForm>) => void;
  errors: Record<string, string>;
  /** The path of the comparison in the request, such as `condition.all.0`. */
  path: string;
  type: TargetType | undefined;
  unit: string | null | undefined;
  /** Further conditions are about a window. */
  isWindowOnly?: boolean;
};

/** How a value is compared: over which window, by which operator and with which limit. */
export function ComparisonFields({ form, set, errors, path, type, unit, isWindowOnly = false }: Props) {
  const usual = usualAggregation({ operator: form.operator, threshold: Number(form.threshold) || 0 }, type);
  const isEach =
    !isWindowOnly && (form.aggregation === "each" || (form.aggregation === "" && usual === "each"));
  const isKnown = windows.some(({ value }) => value === form.window_seconds);
  const thresholdProps = (name: "threshold" | "threshold_high") => ({
    value: form[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
    error: errors[`${path}.${name}`],
    inputMode: "decimal" as const,
  });
  const aggregations = Object.entries(aggregationWords).filter(([name]) => !isWindowOnly || name !== "each");
  return (
    <>
      <SelectField
        label="Looking at"
        value={form.aggregation}
        onChange={({ target }) => set({ aggregation: target.value as ComparisonForm["aggregation"] })}
        error={errors[`${path}.aggregation`]}
        options={[
          { value: "", label: `the usual (${usual ? aggregationWords[usual] : "of the target"})` },
          ...aggregations.map(([name, label]) => ({ value: name, label })),
        ]}
      />
      {!isEach && (
        <SelectField
          label="Over the last"
          value={form.window_seconds}
          onChange={({ target }) => set({ window_seconds: target.value })}
          error={errors[`${path}.window_seconds`]}
          options={[
            ...windows,
            ...(isKnown
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
        onChange={({ target }) => set({ operator: target.value as ComparisonForm["operator"] })}
        error={errors[`${path}.operator`]}
        options={Object.entries(operatorWords).map(([name, label]) => ({ value: name, label }))}
      />
      {!isWithoutThreshold(form.operator) && (
        <TextField
          label={hasTwoThresholds(form.operator) ? "From" : "Limit"}
          {...thresholdProps("threshold")}
          help={limitUnit(form.operator, unit ?? type?.unit)}
        />
      )}
      {hasTwoThresholds(form.operator) && <TextField label="To" {...thresholdProps("threshold_high")} />}
    </>
  );
}
