import { Link } from "@tanstack/react-router";
import type { Policy } from "@/queries/policies.ts";

/** On how many contracts a policy has its rule, and why some cannot have it. */
export function PolicyProgress({ policy }: { policy: Policy }) {
  const { matched, applied, failed, pending, failures } = policy.progress;
  return (
    <div className="space-y-1">
      <p className="text-sm">
        On {applied} of {matched} {matched === 1 ? "contract" : "contracts"}
        {pending > 0 && `, ${pending} to do`}
        {failed > 0 && `, ${failed} failed`}
      </p>
      {matched > 0 && (
        <progress
          aria-label={`Progress of ${policy.name}`}
          className="block h-1.5 w-full max-w-60 appearance-none overflow-hidden rounded bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
          value={applied}
          max={matched}
        />
      )}
      {policy.status_reason && <p className="text-sm text-warning">{policy.status_reason}</p>}
      {failures.length > 0 && (
        <details className="text-sm">
          <summary className="text-accent">Why contracts failed</summary>
          <ul className="mt-1 list-disc pl-5">
            {failures.map(({ contract_id, label, reason }) => (
              <li key={contract_id} className="wrap-break-word">
                <Link to="/contracts/$id" params={{ id: contract_id }} className="underline">
                  {label}
                </Link>
                : {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
