import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
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
  const router = useRouter();
  const { data: demo } = useQuery(demoQuery(org));
  const [isAsking, setAsking] = useState(false);
  if (!demo || demo.contracts === 0) return null;
  async function remove() {
    // Most pages show something that is about to be deleted, and would ask for it again. The inbox only lists messages.
    await leaveFor(router, "/inbox");
    await client.cancelQueries({ queryKey: keys(org).all });
    await data(api.DELETE("/api/v1/demo"));
    toast.done("The demo is gone.");
    client.removeQueries({ queryKey: keys(org).all, type: "inactive" });
    await router.navigate({ to: "/" });
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

/** Navigates, and returns when the new page has replaced the former one. */
async function leaveFor(router: ReturnType<typeof useRouter>, to: "/inbox"): Promise<void> {
  if (router.state.location.pathname === to) return;
  await new Promise<void>((resolve) => {
    const stop = router.subscribe("onRendered", () => {
      stop();
      resolve();
    });
    void router.navigate({ to });
  });
}
