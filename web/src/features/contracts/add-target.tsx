import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import { abiNames } from "@/lib/text/abi-names.ts";
import { type Contract, chainsQuery, inspectionQuery, targetTypesQuery } from "@/queries/contracts.ts";
import { Dialog } from "@/ui/dialog.tsx";
import { SelectField } from "@/ui/form/field.tsx";
import type { JsonSchema } from "@/ui/form/schema-fields.ts";
import { SchemaForm } from "@/ui/form/schema-form.tsx";
import { toast } from "@/ui/toast.tsx";

/** Adds a target of any type; its inputs come from the service. */
export function AddTarget({
  isOpen,
  onClose,
  contract,
}: {
  isOpen: boolean;
  onClose: () => void;
  contract: Contract;
}) {
  const org = useOrg();
  const client = useQueryClient();
  const { data: types = [] } = useQuery(targetTypesQuery);
  const { data: chains = [] } = useQuery(chainsQuery(org));
  const kind = chains.find(({ chain }) => chain === contract.chain)?.kind ?? "evm";
  const offered = types.filter(({ families }) => families.includes(kind));
  const [chosen, setChosen] = useState<string>();
  const type = offered.find(({ target_type }) => target_type === chosen) ?? offered[0];
  const { data: inspection } = useQuery({ ...inspectionQuery(org, contract), enabled: isOpen });
  const { events, functions, views } = abiNames(inspection?.abi ?? []);
  const suggestions = { event_signature: events, function_signature: functions, signature: views };
  if (!type) return null;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add a target"
      description="Something that is measured on this contract."
    >
      <div className="space-y-4">
        <SelectField
          label="What to measure"
          value={type.target_type}
          onChange={({ target }) => setChosen(target.value)}
          options={offered.map(({ target_type, title }) => ({ value: target_type, label: title }))}
          help={`${type.description} Unit: ${type.unit}.`}
        />
        <SchemaForm
          key={type.target_type}
          schema={type.config_schema as JsonSchema}
          at="config"
          action="Add target"
          suggestions={suggestions}
          onSubmit={async (config) => {
            // The form was made from the schema of the type, which the compiler does not know.
            const body = { target_type: type.target_type, config } as Schemas["TargetCreate"];
            await api.POST("/api/v1/contracts/{contract_id}/targets", {
              params: { path: { contract_id: contract.id } },
              body,
            });
            await client.invalidateQueries({ queryKey: keys(org).contracts });
            toast.done(`${type.title} is measured from the next block.`);
            onClose();
          }}
        />
      </div>
    </Dialog>
  );
}
