import type { Schemas } from "@/lib/api.ts";
import type { Chain, Contract } from "@/queries/contracts.ts";
import { SelectField, TextField } from "@/ui/form/field.tsx";

type Selector = Schemas["PolicySelector"];

/** The inputs of a selector; empty ones match every contract. */
export type SelectorForm = { labels: string; chain: string; contract_type: string };
export const emptySelector: SelectorForm = { labels: "", chain: "", contract_type: "" };

export function toSelector({ labels, chain, contract_type }: SelectorForm): Selector {
  const list = labels
    .split(",")
    .map((label) => label.trim())
    .filter(Boolean);
  return {
    ...(list.length > 0 && { labels: list }),
    ...(chain && { chains: [chain] }),
    // The values come from contracts of the organisation; the service checks them.
    ...(contract_type && { contract_types: [contract_type] as NonNullable<Selector["contract_types"]> }),
  };
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
  const types = [...new Set(contracts.map(({ contract_type }) => contract_type))].sort();
  const errorAt = (field: string) =>
    Object.entries(errors).find(([name]) => `${name}.`.startsWith(`selector.${field}.`))?.[1];
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <TextField
        label="With all of these labels"
        value={form.labels}
        onChange={({ target }) => set({ ...form, labels: target.value })}
        error={errorAt("labels")}
        placeholder="treasury, team:core"
        help="Separated by commas. Empty: any label."
      />
      <SelectField
        label="On the chain"
        value={form.chain}
        onChange={({ target }) => set({ ...form, chain: target.value })}
        error={errorAt("chains")}
        options={[
          { value: "", label: "Every chain" },
          ...chains.map(({ chain, name }) => ({ value: chain, label: name })),
        ]}
      />
      <SelectField
        label="Of the type"
        value={form.contract_type}
        onChange={({ target }) => set({ ...form, contract_type: target.value })}
        error={errorAt("contract_types")}
        options={[
          { value: "", label: "Every type" },
          ...types.map((value) => ({ value, label: value.replaceAll("_", " ") })),
        ]}
      />
    </div>
  );
}
