import { useQuery } from "@tanstack/react-query";
import { useOrg } from "@/lib/session.ts";
import { type Chain, explorerLink, proxyQuery } from "@/queries/contracts.ts";
import { Address } from "@/ui/address.tsx";
import { Button } from "@/ui/button.tsx";
import { Card, Facts } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";

/** Where the code of a proxy is, and who can replace it, as the chain says now. */
export function ProxyPanel({ contract_id, chain }: { contract_id: string; chain: Chain | undefined }) {
  const { data: proxy, error, refetch, isFetching } = useQuery(proxyQuery(useOrg(), contract_id));
  if (error) return <ErrorText error={error} />;
  if (!proxy) return <Skeleton />;
  const address = (value: string | null) =>
    value ? <Address value={value} isFull explorerUrl={explorerLink(chain, "address", value)} /> : "none";
  return (
    <div className="space-y-4">
      <Card
        title="Proxy"
        actions={
          <Button isSmall isBusy={isFetching} onClick={() => void refetch()}>
            Read again
          </Button>
        }
      >
        {proxy.is_proxy ? (
          <Facts
            rows={[
              ["Kind", proxy.kind ?? "unknown"],
              ["Implementation", address(proxy.implementation)],
              ["Admin", address(proxy.admin)],
              ["Owner of the admin", address(proxy.admin_owner?.address ?? null)],
              ["Beacon", address(proxy.beacon)],
              ["Read at block", proxy.block_number?.toLocaleString("en") ?? "unknown"],
            ]}
          />
        ) : (
          <p className="text-sm">
            Not a proxy: the code at this address cannot be replaced through a known proxy pattern. Read at
            block {proxy.block_number?.toLocaleString("en") ?? "unknown"}.
          </p>
        )}
      </Card>
      {proxy.history.length > 0 && (
        <Card title="Changes">
          <ul className="space-y-3 text-sm">
            {proxy.history.map(({ part, address: next, previous, block_number }) => (
              <li key={`${part} ${block_number} ${next}`}>
                <p className="font-medium">
                  {part} at block {block_number.toLocaleString("en")}
                </p>
                <p className="text-muted">from {address(previous)}</p>
                <p>to {address(next)}</p>
              </li>
            ))}
          </ul>
          {proxy.history_problem && <p className="mt-2 text-sm text-warning">{proxy.history_problem}</p>}
        </Card>
      )}
    </div>
  );
}
