import { useQuery } from "@tanstack/react-query";
import { switchOrg } from "@/app/shell/switch-org.ts";
import { orgsQuery, useSession } from "@/lib/session.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";

/** Every request acts on the active organisation, so a page of another one must not go on. */
export function OtherOrgDialog({ otherOrg }: { otherOrg: string | undefined }) {
  const { org } = useSession();
  const { data: orgs = [] } = useQuery(orgsQuery);
  const name = orgs.find(({ id }) => id === otherOrg)?.name ?? "another organisation";
  return (
    <Dialog
      isOpen={otherOrg !== undefined}
      onClose={() => location.reload()}
      title={`You switched to ${name}`}
      description={`This page shows ${org.name}. Changes here would act on ${name}.`}
    >
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => location.assign("/")}>
          Open {name}
        </Button>
        <Button onClick={() => switchOrg(org.id, location.href).catch(toast.failed)}>
          Switch back to {org.name}
        </Button>
      </div>
    </Dialog>
  );
}
