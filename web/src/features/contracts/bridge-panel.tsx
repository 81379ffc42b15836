import { useQuery } from "@tanstack/react-query";
import { useOrg } from "@/lib/session.ts";
import { bridgeQuery } from "@/queries/contracts.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";

const tones: Record<string, Tone> = {
  critical: "critical",
  high: "critical",
  medium: "warning",
  low: "ok",
  inactive: "neutral",
  unknown: "neutral",
};

/** How messages of other chains are verified, and how risky that is. */
export function BridgePanel({ contract_id }: { contract_id: string }) {
  const { data: bridge, error } = useQuery(bridgeQuery(useOrg(), contract_id));
  if (error) return <ErrorText error={error} />;
  if (!bridge) return <Skeleton />;
  if (bridge.routes.length === 0)
    return (
      <p className="text-muted">
        No bridge routes: the contract is not a LayerZero application, or bridge detection is off for this
        organisation.
      </p>
    );
  return (
    <Card title="Bridge routes" isFlush>
      <ul className="divide-y divide-line">
        {bridge.routes.map(
          ({
            direction,
            src_eid,
            dst_eid,
            src_chain,
            dst_chain,
            required_dvns,
            optional_dvns,
            optional_threshold,
            confirmations,
            risk_level,
            risk_reasons,
          }) => (
            <li key={`${direction} ${src_eid} ${dst_eid}`} className="px-4 py-2.5">
              <p className="flex flex-wrap items-center gap-2">
                <b className="font-medium">
                  {src_chain ?? src_eid} to {dst_chain ?? dst_eid}
                </b>
                <span className="text-sm text-muted">{direction}</span>
                <Badge tone={tones[risk_level] ?? "neutral"}>{risk_level} risk</Badge>
              </p>
              <p className="text-sm text-muted">
                {required_dvns.length} required verifiers
                {optional_dvns.length > 0 &&
                  `, ${optional_threshold} of ${optional_dvns.length} optional ones`}
                {confirmations && `, ${confirmations} confirmations`}
              </p>
              {risk_reasons.map((reason) => (
                <p key={reason} className="text-sm">
                  {reason}
                </p>
              ))}
            </li>
          ),
        )}
      </ul>
    </Card>
  );
}
