import { type Range, rangeLabels, ranges } from "@/lib/range.ts";
import { severities } from "@/lib/severity.ts";
import type { Chain, Contract } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/form/field.tsx";
import { utcText } from "@/ui/time.tsx";

export type AlertsSearch = {
  severity?: string | undefined;
  status?: string | undefined;
  contract?: string | undefined;
  chain?: string | undefined;
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

type Props = {
  search: AlertsSearch;
  onChange: (change: AlertsSearch) => void;
  contracts: Contract[];
  chains: Chain[];
};

const any = (label: string) => ({ value: "", label });

/** The filters of the history. They live in the URL, so a filtered list can be shared. */
export function AlertFilters({ search, onChange, contracts, chains }: Props) {
  const set = (name: keyof AlertsSearch) => ({
    value: search[name] ?? "",
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value || undefined }),
    isLabelHidden: true,
  });
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <div className="mb-3 grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap">
      <SelectField
        label="Severity"
        {...set("severity")}
        options={[
          any("All severities"),
          ...severities.map((severity) => ({ value: severity, label: severity })),
        ]}
      />
      <SelectField
        label="Status"
        {...set("status")}
        options={[
          any("All states"),
          ...["firing", "occurred", "acknowledged", "resolved", "retracted"].map((status) => ({
            value: status,
            label: status,
          })),
        ]}
      />
      <div className="min-w-0 sm:w-44">
        <SelectField
          label="Contract"
          {...set("contract")}
          options={[any("All contracts"), ...contracts.map(({ id, label }) => ({ value: id, label }))]}
        />
      </div>
      <SelectField
        label="Chain"
        {...set("chain")}
        options={[
          any("All chains"),
          ...chains.map(({ chain_id, name }) => ({ value: String(chain_id), label: name })),
        ]}
      />
      <SelectField
        label="Time range"
        isLabelHidden
        value={search.from ? "custom" : (search.range ?? "7d")}
        onChange={({ target }) => onChange({ range: target.value, from: undefined, to: undefined })}
        options={[
          ...(search.from
            ? [
                {
                  value: "custom",
                  label: `${utcText(search.from)} to ${search.to ? utcText(search.to) : "now"}`,
                },
              ]
            : []),
          ...(Object.keys(ranges) as Range[]).map((range) => ({ value: range, label: rangeLabels[range] })),
        ]}
      />
      {isFiltered && (
        <Button
          look="plain"
          onClick={() =>
            onChange({
              severity: undefined,
              status: undefined,
              contract: undefined,
              chain: undefined,
              range: undefined,
              from: undefined,
              to: undefined,
            })
          }
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}
