import type { Chain, Inspection } from "@/queries/contracts.ts";
import { explorerLink } from "@/queries/contracts.ts";
import { Address } from "@/ui/address.tsx";
import { Amount } from "@/ui/amount.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Facts } from "@/ui/card.tsx";

/** What is at the address, with the whole address: this is where it is decided on. */
export function InspectionSummary({
  inspection,
  chain,
}: {
  inspection: Inspection;
  chain: Chain | undefined;
}) {
  const {
    address,
    has_code,
    is_proxy,
    proxy,
    is_verified,
    abi_source,
    name,
    token,
    category,
    contract_type,
  } = inspection;
  const kind = has_code ? contract_type : "wallet";
  const title = name ?? token?.name ?? kind;
  const kinds = [...new Set([kind, category])].filter((word) => word !== title);
  return (
    <Facts
      rows={[
        [
          "Address",
          <Address key="a" value={address} isFull explorerUrl={explorerLink(chain, "address", address)} />,
        ],
        [
          "What it is",
          <span key="w" className="flex flex-wrap gap-1">
            <b className="font-medium">{title}</b>
            {kinds.map((word) => (
              <Badge key={word}>{word}</Badge>
            ))}
            {is_verified && <Badge tone="ok">verified source</Badge>}
          </span>,
        ],
        ...(is_proxy && proxy?.implementation
          ? ([["Proxy to", <Address key="p" value={proxy.implementation} isFull />]] as [
              string,
              React.ReactNode,
            ][])
          : []),
        ...(token?.total_supply
          ? ([
              [
                "Supply",
                <Amount key="s" raw={token.total_supply} decimals={token.decimals} symbol={token.symbol} />,
              ],
            ] as [string, React.ReactNode][])
          : []),
        ...(has_code
          ? ([
              [
                "Interface",
                abi_source === "registry"
                  ? "published by its authors"
                  : abi_source === "bytecode"
                    ? "recovered from its code; names may be missing"
                    : "unknown",
              ],
            ] as [string, React.ReactNode][])
          : [
              ["Code", "none: this is a wallet. Its balance and its transactions can be watched."] as [
                string,
                React.ReactNode,
              ],
            ]),
      ]}
    />
  );
}
