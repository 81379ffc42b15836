import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { PolicyProgress } from "@/features/policies/policy-progress.tsx";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { policyQuery } from "@/queries/policies.ts";
import { PolicyForm } from "@/routes/policy-form.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Page } from "@/ui/page.tsx";
import { toast } from "@/ui/toast.tsx";

const route = getRouteApi("/policies/$id");

export function NewPolicyPage() {
  return (
    <Page title="Create a policy" lead="One rule for many contracts.">
      <PolicyForm />
    </Page>
  );
}

export function PolicyPage() {
  const { id } = route.useParams();
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const { data: policy } = useSuspenseQuery(policyQuery(org, id));
  const toggle = useMutation({
    mutationFn: () =>
      api.PATCH("/api/v1/policies/{policy_id}", {
        params: { path: { policy_id: id } },
        body: { is_enabled: !policy.is_enabled },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys(org).policies }),
    onError: toast.failed,
  });
  return (
    <Page
      title={policy.name}
      lead="One rule for many contracts. A change applies to all of them."
      actions={
        mayEdit && (
          <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
            {policy.is_enabled ? "Turn off" : "Turn on"}
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <Card title="Where it applies">
          <PolicyProgress policy={policy} />
        </Card>
        <PolicyForm key={policy.id} policy={policy} />
      </div>
    </Page>
  );
}
