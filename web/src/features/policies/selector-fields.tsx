import type { Schemas } from "@/lib/api.ts";
import type { Chain, Contract } from "@/queries/contracts.ts";
import { SelectField, TextField } from "@/ui/form/field.tsx";

type Selector = Schemas["PolicySelector"];

/** The inputs of a selector: lists separated by commas. Empty ones match every contract. */
export type SelectorForm = Record<keyof Selector, string>;

export function toSelectorForm({ labels, chains, contract_types, categories }: Selector): SelectorForm {
  const join = (list: readonly string[] = []) => list.join(", ");
  return {
    ...{ labels: join(labels), chains: join(chains) },
    ...{ contract_types: join(contract_types), categories: join(categories) },
  };
}

/** The values come from the contracts of the organisation; the service checks them. */
export function toSelector(form: SelectorForm): Selector {
  const lists = Object.entries(form).map(([field, text]) => {
    const parts = text.split(",").map((part) => part.trim());
    return [field, parts.filter(Boolean)] as const;
  });
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}

type Props = {
  form: SelectorForm;
  set: (form: SelectorForm) => void;
  errors: Record<string, string>;
  contracts: Contract[];
  chains: Chain[];
};

/** Which contracts a policy is for, now and later. */
export function SelectorFields({ form, set, errors, contracts, chains }: Props) {
  const errorAt = (field: string) =>
    Object.entries(errors).find(([name]) => `${name}.`.startsWith(`selector.${field}.`))?.[1];
  const choice = (field: keyof SelectorForm) => ({
    value: form[field],
    onChange: ({ target }: { target: { value: string } }) => set({ ...form, [field]: target.value }),
    error: errorAt(field),
  });
  const named = (values: string[]) =>
    [...new Set(values)].sort().map((value) => ({ value, label: value.replaceAll("_", " ") }));
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <TextField
        label="With all of these labels"
        {...choice("labels")}
        placeholder="treasury, team:core"
        help="Separated by commas. Empty: any label."
      />
      <SelectField
        label="On the chain"
        {...choice("chains")}
        options={withChosen(form.chains, [
          { value: "", label: "Every chain" },
          ...chains.map(({ chain, name }) => ({ value: chain, label: name })),
        ])}
      />
      <SelectField
        label="Of the type"
        {...choice("contract_types")}
        options={withChosen(form.contract_types, [
          { value: "", label: "Every type" },
          ...named(contracts.map(({ contract_type }) => contract_type)),
        ])}
      />
      <SelectField
        label="In the category"
        {...choice("categories")}
        options={withChosen(form.categories, [
          { value: "", label: "Every category" },
          ...named(contracts.map(({ category }) => category)),
        ])}
      />
    </div>
  );
}

type Option = { value: string; label: string };

/** A policy of the API can select several values at once, which stay selectable. */
function withChosen(value: string, options: Option[]): Option[] {
  const isKnown = options.some((option) => option.value === value);
  return isKnown ? options : [...options, { value, label: value.replaceAll(", ", " or ") }];
}
