import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import type { Rule } from "@/queries/alerts.ts";
import { Switch } from "@/ui/form/switch.tsx";
import { toast } from "@/ui/toast.tsx";

/** Turns a rule on or off; the list shows it at once and goes back if the service refuses. */
export function RuleSwitch({ rule }: { rule: Rule }) {
  const org = useOrg();
  const client = useQueryClient();
  const queryKey = keys(org).rules;
  const toggle = useMutation({
    mutationFn: (is_enabled: boolean) =>
      api.PATCH("/api/v1/alerts/{rule_id}", { params: { path: { rule_id: rule.id } }, body: { is_enabled } }),
    onMutate: async (is_enabled) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Rule[]>(queryKey);
      client.setQueryData<Rule[]>(queryKey, (old) =>
        old?.map((item) => (item.id === rule.id ? { ...item, is_enabled } : item)),
      );
      return before;
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.failed(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  return (
    <Switch
      label={`Rule ${rule.name}`}
      isOn={rule.is_enabled}
      isDisabled={!useCanEdit()}
      onChange={(isOn) => toggle.mutate(isOn)}
    />
  );
}
