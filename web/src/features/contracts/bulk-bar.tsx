import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { exportCsv } from "@/features/contracts/export-csv.ts";
import { LabelDialog } from "@/features/contracts/label-dialog.tsx";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import type { Contract } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { messageOf } from "@/ui/error-text.tsx";
import { toast } from "@/ui/toast.tsx";

/** What can be done with several contracts at once. */
export function BulkBar({ contracts, onDone }: { contracts: Contract[]; onDone: () => void }) {
  const client = useQueryClient();
  const org = useOrg();
  const [progress, setProgress] = useState<string>();
  const [open, setOpen] = useState<"label" | "delete">();
  const path = (contract_id: string) => ({ params: { path: { contract_id } } });
  /** One request after the other; what failed is reported with its reason, the rest is done. */
  async function each(verb: string, work: (contract: Contract) => Promise<unknown>) {
    const failures: string[] = [];
    for (const [index, contract] of contracts.entries()) {
      setProgress(`${index + 1} of ${contracts.length}`);
      await work(contract).catch((error) => failures.push(`${contract.label}: ${messageOf(error)}`));
    }
    setProgress(undefined);
    void client.invalidateQueries({ queryKey: keys(org).contracts });
    const done = contracts.length - failures.length;
    if (done > 0) toast.done(`${verb} ${done} ${done === 1 ? "contract" : "contracts"}.`);
    if (failures.length > 0) toast.failed(new Error(failures.slice(0, 3).join(" ")));
    onDone();
  }
  return (
    <div
      role="region"
      aria-label="Selected contracts"
      className="mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-info-bg px-3 py-2 text-sm"
    >
      <span className="font-medium" role="status">
        {progress ?? `${contracts.length} selected`}
      </span>
      <Button isSmall onClick={() => setOpen("label")}>
        Add label
      </Button>
      <Button
        isSmall
        onClick={() =>
          each("Paused", ({ id }) => api.POST("/api/v1/contracts/{contract_id}/pause", path(id)))
        }
      >
        Pause
      </Button>
      <Button
        isSmall
        onClick={() =>
          each("Resumed", ({ id }) => api.POST("/api/v1/contracts/{contract_id}/resume", path(id)))
        }
      >
        Resume
      </Button>
      <Button isSmall onClick={() => exportCsv(contracts)}>
        Export CSV
      </Button>
      <Button isSmall look="danger" onClick={() => setOpen("delete")}>
        Delete
      </Button>
      <Button isSmall look="plain" onClick={onDone}>
        Clear selection
      </Button>
      <LabelDialog
        isOpen={open === "label"}
        onClose={() => setOpen(undefined)}
        onAdd={(body) =>
          each("Labelled", ({ id }) =>
            api.POST("/api/v1/contracts/{contract_id}/labels", { ...path(id), body }),
          )
        }
      />
      <Confirm
        isOpen={open === "delete"}
        onClose={() => setOpen(undefined)}
        title={`Delete ${contracts.length} ${contracts.length === 1 ? "contract" : "contracts"}?`}
        action="Delete contracts"
        onConfirm={() => each("Deleted", ({ id }) => api.DELETE("/api/v1/contracts/{contract_id}", path(id)))}
      >
        Their targets and rules are deleted too. Past alerts stay in the history.
      </Confirm>
    </div>
  );
}
