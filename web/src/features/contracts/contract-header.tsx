import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { RenameDialog } from "@/features/contracts/rename-dialog.tsx";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import type { Contract } from "@/queries/contracts.ts";
import { buttonClass, IconButton } from "@/ui/button.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { Ellipsis } from "@/ui/icons.ts";
import { Menu } from "@/ui/menu.tsx";
import { toast } from "@/ui/toast.tsx";

/** What can be done with a contract. */
export function ContractActions({ contract }: { contract: Contract }) {
  const org = useOrg();
  const client = useQueryClient();
  const router = useRouter();
  const mayEdit = useCanEdit();
  const [open, setOpen] = useState<"rename" | "delete">();
  const path = { params: { path: { contract_id: contract.id } } };
  const isPaused = contract.status === "PAUSED";
  const refresh = () => client.invalidateQueries({ queryKey: keys(org).contracts });
  const toggle = useMutation({
    mutationFn: (): Promise<unknown> =>
      isPaused
        ? api.POST("/api/v1/contracts/{contract_id}/resume", path)
        : api.POST("/api/v1/contracts/{contract_id}/pause", path),
    onSuccess: () =>
      toast.done(isPaused ? "Monitoring continues." : "Monitoring is paused. No alerts are made."),
    onError: toast.failed,
    onSettled: refresh,
  });
  if (!mayEdit) return null;
  return (
    <>
      <Link to="/rules/new" search={{ contract: contract.id }} className={buttonClass("primary")}>
        Add rule
      </Link>
      <Menu
        trigger={
          <IconButton label="More actions">
            <Ellipsis size={17} aria-hidden />
          </IconButton>
        }
        items={[
          { label: isPaused ? "Resume monitoring" : "Pause monitoring", onSelect: () => toggle.mutate() },
          { label: "Rename", onSelect: () => setOpen("rename") },
          { label: "Delete", isDanger: true, onSelect: () => setOpen("delete") },
        ]}
      />
      <RenameDialog isOpen={open === "rename"} onClose={() => setOpen(undefined)} contract={contract} />
      <Confirm
        isOpen={open === "delete"}
        onClose={() => setOpen(undefined)}
        title={`Delete ${contract.label}?`}
        action="Delete contract"
        {...(contract.rules_count > 0 && { typed: contract.label })}
        onConfirm={async () => {
          await api.DELETE("/api/v1/contracts/{contract_id}", path);
          void router.navigate({ to: "/contracts" });
          client.removeQueries({ queryKey: keys(org).contract(contract.id) });
          await refresh();
        }}
      >
        Deletes {contract.targets_count} targets and {contract.rules_count} rules. Past alerts stay in the
        history.
      </Confirm>
    </>
  );
}
