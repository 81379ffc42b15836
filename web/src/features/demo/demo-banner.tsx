import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg, useSession } from "@/lib/session.ts";
import { demoQuery } from "@/queries/demo.ts";
import { Button } from "@/ui/button.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { toast } from "@/ui/toast.tsx";

/** Says on every page that there is demo data, and removes it. */
export function DemoBanner() {
  const org = useOrg();
  const isAdmin = useSession().org.role === "admin";
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: demo } = useQuery(demoQuery(org));
  const [isAsking, setAsking] = useState(false);
  if (!demo || demo.contracts === 0) return null;
  async function remove() {
    // The page may show something that is about to be deleted.
    await navigate({ to: "/" });
    await data(api.DELETE("/api/v1/demo"));
    toast.done("The demo is gone.");
    await client.invalidateQueries({ queryKey: keys(org).all });
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-raised px-4 py-2 text-sm sm:px-6">
      <p className="min-w-0 wrap-break-word">
        <b>Demo.</b> What is on the chain Demo is not real.
      </p>
      {isAdmin && (
        <Button isSmall onClick={() => setAsking(true)}>
          Remove the demo
        </Button>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the demo?"
        action="Remove the demo"
        onConfirm={remove}
      >
        The contracts of the demo chain go with their rules, alerts and messages. Everything else stays.
      </Confirm>
    </div>
  );
}
