import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CreateOrg } from "@/app/shell/create-org.tsx";
import { switchOrg } from "@/app/shell/switch-org.ts";
import { orgsQuery, useSession } from "@/lib/session.ts";
import { Check, ChevronsUpDown, Plus } from "@/ui/icons.ts";
import { Menu } from "@/ui/menu.tsx";
import { toast } from "@/ui/toast.tsx";

export function OrgSwitcher() {
  const { org } = useSession();
  const { data: orgs = [org] } = useQuery(orgsQuery);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="flex h-8 min-w-0 items-center gap-1 rounded px-2 font-medium hover:bg-raised touch:h-11"
            aria-label={`Organisation: ${org.name}. Switch`}
          >
            <span className="truncate">{org.name}</span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
          </button>
        }
        items={[
          ...orgs.map(({ id, name, tier }) => ({
            label: name,
            hint: tier,
            icon: id === org.id ? <Check size={14} aria-hidden /> : <span className="w-3.5" />,
            onSelect: () => {
              if (id !== org.id) switchOrg(id).catch(toast.failed);
            },
          })),
          {
            label: "Create organisation",
            icon: <Plus size={14} aria-hidden />,
            onSelect: () => setCreating(true),
          },
        ]}
      />
      <CreateOrg isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
