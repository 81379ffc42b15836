import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { EventList } from "@/features/alerts/event-list.tsx";
import { AccessPanel } from "@/features/contracts/access-panel.tsx";
import { AnalysisPanel } from "@/features/contracts/analysis-panel.tsx";
import { BridgePanel } from "@/features/contracts/bridge-panel.tsx";
import { labelText } from "@/features/contracts/columns.tsx";
import { ContractActions } from "@/features/contracts/contract-header.tsx";
import { LivePanel } from "@/features/contracts/live-panel.tsx";
import { ProxyPanel } from "@/features/contracts/proxy-panel.tsx";
import { ContractStatus } from "@/features/contracts/status-badge.tsx";
import { TargetsPanel } from "@/features/contracts/targets-panel.tsx";
import { RuleList } from "@/features/rules/rule-list.tsx";
import { useOrg } from "@/lib/session.ts";
import { chainStateText } from "@/lib/text/chain-state.ts";
import { contractEventsQuery, rulesQuery } from "@/queries/alerts.ts";
import { chainsQuery, contractQuery, explorerLink } from "@/queries/contracts.ts";
import { Address } from "@/ui/address.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import { Page } from "@/ui/page.tsx";
import { Tabs } from "@/ui/tabs.tsx";

const route = getRouteApi("/contracts/$id");

export function ContractPage() {
  const { id } = route.useParams();
  const { tab = "live" } = route.useSearch();
  const navigate = route.useNavigate();
  const org = useOrg();
  const { data: contract } = useSuspenseQuery(contractQuery(org, id));
  const { data: chains = [] } = useQuery(chainsQuery(org));
  const { data: rules = [] } = useQuery(rulesQuery(org));
  const { data: events = [] } = useQuery(contractEventsQuery(org, id));
  const chain = chains.find((chain) => chain.chain === contract.chain);
  const contractRules = rules.filter((rule) => rule.contract_id === id);
  const panels = {
    live: <LivePanel contract_id={id} />,
    targets: <TargetsPanel contract={contract} />,
    rules: (
      <Card>
        <RuleList rules={contractRules} none="No rule on this contract yet." />
      </Card>
    ),
    events: (
      <Card>
        <EventList events={events} none="No alert on this contract so far." />
      </Card>
    ),
    proxy: <ProxyPanel contract_id={id} chain={chain} />,
    bridge: <BridgePanel contract_id={id} />,
    analysis: <AnalysisPanel contract_id={id} />,
    access: <AccessPanel contract={contract} />,
  };
  return (
    <Page
      title={contract.label}
      actions={<ContractActions contract={contract} />}
      lead={
        <div className="space-y-1.5">
          <Address
            value={contract.address}
            isFull
            explorerUrl={explorerLink(chain, "address", contract.address)}
          />
          <p className="flex flex-wrap items-center gap-1.5">
            <ContractStatus status={contract.status} />
            <Badge>{chain?.name ?? contract.chain}</Badge>
            {contract.contract_type !== "unknown" && <Badge>{contract.contract_type}</Badge>}
            {contract.is_proxy && <Badge>proxy</Badge>}
            {contract.is_verified && <Badge tone="ok">verified source</Badge>}
            {contract.labels.map((label) => (
              <Badge key={label.id}>{labelText(label)}</Badge>
            ))}
          </p>
          {contract.status_reason && <p className="text-warning">{contract.status_reason}</p>}
          {chain && chain.state !== "live" && (
            <p className="text-warning">
              {chain.name} is {chainStateText(chain)}. {chain.status_reason}
            </p>
          )}
        </div>
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next as typeof tab }, replace: true })}
        tabs={[
          { value: "live", label: "Live" },
          { value: "targets", label: "Targets", count: contract.targets_count },
          { value: "rules", label: "Rules", count: contractRules.length },
          { value: "events", label: "Alerts", count: events.length },
          { value: "analysis", label: "Analysis" },
          { value: "proxy", label: "Proxy" },
          { value: "bridge", label: "Bridge" },
          { value: "access", label: "Labels and access" },
        ]}
      >
        {panels[tab]}
      </Tabs>
    </Page>
  );
}
