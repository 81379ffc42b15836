import { useEffect, useState } from "react";
import { labelText } from "@/features/contracts/columns.tsx";
import type { ContractFilter } from "@/features/contracts/filter.ts";
import type { Contract } from "@/queries/contracts.ts";
import { SelectField, TextField } from "@/ui/form/field.tsx";

const any = (label: string) => ({ value: "", label });
const unique = (values: string[]) => [...new Set(values)].sort();

type Props = {
  contracts: Contract[];
  search: ContractFilter;
  /** The text while it is typed; the URL follows when typing pauses. */
  text: string;
  onText: (text: string) => void;
  onChange: (change: ContractFilter) => void;
};

export function ContractFilters({ contracts, search, text, onText, onChange }: Props) {
  useUrlText(text, search.q ?? "", onChange);
  const select = (name: "chain" | "status" | "label") => ({
    isLabelHidden: true,
    value: search[name] ?? "",
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value || undefined }),
  });
  const [options] = useState(() => ({
    chains: unique(contracts.map(({ chain }) => chain)),
    labels: unique(contracts.flatMap(({ labels }) => labels.map(labelText))),
  }));
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <div className="w-full sm:w-64">
        <TextField
          label="Filter contracts"
          isLabelHidden
          type="search"
          placeholder="Name, address or label"
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      </div>
      <SelectField
        label="Chain"
        {...select("chain")}
        options={[any("All chains"), ...options.chains.map((value) => ({ value, label: value }))]}
      />
      <SelectField
        label="Status"
        {...select("status")}
        options={[
          any("All states"),
          { value: "MONITORING", label: "monitoring" },
          { value: "PENDING", label: "no targets" },
          { value: "PAUSED", label: "paused" },
          { value: "ERROR", label: "error" },
        ]}
      />
      {options.labels.length > 0 && (
        <SelectField
          label="Label"
          {...select("label")}
          options={[any("All labels"), ...options.labels.map((value) => ({ value, label: value }))]}
        />
      )}
    </div>
  );
}

/** Writes the text to the URL a moment after the last key. */
function useUrlText(text: string, inUrl: string, onChange: (change: ContractFilter) => void): void {
  useEffect(() => {
    if (text === inUrl) return;
    const timer = setTimeout(() => onChange({ q: text || undefined }), 250);
    return () => clearTimeout(timer);
  }, [text, inUrl, onChange]);
}
