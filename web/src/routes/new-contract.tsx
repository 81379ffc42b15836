import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { type Category, ChooseNotice } from "@/features/new-contract/choose-notice.tsx";
import { ChooseTargets, type ChosenTarget } from "@/features/new-contract/choose-targets.tsx";
import { Identify } from "@/features/new-contract/identify.tsx";
import { InspectionSummary } from "@/features/new-contract/inspection-summary.tsx";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import { channelsQuery } from "@/queries/channels.ts";
import { chainsQuery, contractsQuery, type Inspection, targetTypesQuery } from "@/queries/contracts.ts";
import { ApiCall } from "@/ui/api-call.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";
import { Page } from "@/ui/page.tsx";
import { toast } from "@/ui/toast.tsx";

const route = getRouteApi("/contracts/new");
/** The smallest tier allows five targets per contract, and the API does not say which limit applies. */
const maxTicked = 5;

export function NewContractPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const org = useOrg();
  const client = useQueryClient();
  const { data: chains } = useSuspenseQuery(chainsQuery(org));
  const { data: types } = useSuspenseQuery(targetTypesQuery);
  const { data: channels } = useSuspenseQuery(channelsQuery(org));
  const { data: contracts } = useSuspenseQuery(contractsQuery(org));
  const [inspection, setFound] = useState<Inspection>();
  const [label, setLabel] = useState("");
  const [targets, setTargets] = useState<ChosenTarget[]>([]);
  const [category, setCategory] = useState<Category>("recommended");
  const [channel, setChannel] = useState("");
  function show(inspection: Inspection | undefined) {
    setFound(inspection);
    if (!inspection) return;
    setLabel(inspection.token?.symbol ?? inspection.name ?? "");
    setTargets(
      inspection.suggested_targets
        .slice(0, maxTicked)
        .map(({ target_type, config }) => ({ target_type, config })),
    );
    setChannel(channels[0]?.id ?? "");
  }
  const chain = chains.find((chain) => chain.chain === inspection?.chain);
  const existing = contracts.find(
    ({ address, chain: on }) =>
      inspection && on === inspection.chain && address.toLowerCase() === inspection.address.toLowerCase(),
  );
  const body = {
    chain: inspection?.chain ?? "",
    address: inspection?.address ?? "",
    ...(label.trim() && { label: label.trim() }),
    // Suggested configs, and those of forms that were made from the schema of the type.
    selected_targets: targets as Schemas["SelectedTarget"][],
  };
  const create = useMutation({
    mutationFn: async () => {
      const contract = await data(api.POST("/api/v1/contracts", { body }));
      if (category === "" || channel === "") return { contract, rules: [] };
      const params = { path: { contract_id: contract.id } };
      const applied = await data(
        api.POST("/api/v1/contracts/{contract_id}/alert-templates/apply", {
          params,
          body: { category, channel_id: channel },
        }),
      );
      return { contract, rules: applied.rules };
    },
    onSuccess: ({ contract, rules }) => {
      toast.done(`${contract.label} is added${rulesText(rules)}.`);
      void navigate({ to: "/contracts/$id", params: { id: contract.id } });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys(org).contracts }),
        client.invalidateQueries({ queryKey: keys(org).rules }),
      ]),
  });
  return (
    <Page title="Add a contract" lead="A contract, a token or a wallet: anything with an address.">
      <div className="max-w-3xl space-y-4">
        <Identify chains={chains} initial={search} onFound={show} />
        {inspection && (
          <>
            <Card title="What is there">
              <InspectionSummary inspection={inspection} chain={chain} />
              {existing && (
                <p className="mt-3 text-sm text-warning">{existing.label} is in this organisation already.</p>
              )}
            </Card>
            <Card title="2. What to watch">
              <div className="mb-4 max-w-sm">
                <TextField
                  label="Name"
                  value={label}
                  onChange={({ target }) => setLabel(target.value)}
                  maxLength={100}
                  help="As it appears in alerts."
                />
              </div>
              <ChooseTargets
                inspection={inspection}
                types={types}
                kind={chain?.kind ?? "evm"}
                chosen={targets}
                onChange={setTargets}
              />
            </Card>
            <Card title="3. Who is notified">
              <ChooseNotice
                channels={channels}
                category={category}
                onCategory={setCategory}
                channel={channel}
                onChannel={setChannel}
              />
            </Card>
            {create.error && <ErrorText error={create.error} />}
            <Button
              look="primary"
              isBusy={create.isPending}
              disabled={existing !== undefined}
              onClick={() => create.mutate()}
            >
              Add contract
            </Button>
            <ApiCall call={{ method: "POST", path: "/contracts", body }} />
          </>
        )}
      </div>
    </Page>
  );
}

/** Rules that would have fired too often on the past of the contract are applied in shadow, which their reason explains. */
function rulesText(rules: readonly { mode: string }[]): string {
  if (rules.length === 0) return "";
  const quiet = rules.filter(({ mode }) => mode === "shadow").length;
  const rest =
    quiet > 0 ? `; ${quiet} of them only record, because they would fire more than once a day` : "";
  return ` with ${rules.length} rules${rest}`;
}
