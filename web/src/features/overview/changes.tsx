import type { Schemas } from "@/lib/api.ts";
import { Card } from "@/ui/card.tsx";
import { Time } from "@/ui/time.tsx";

/** What people and programs changed, newest first. */
export function Changes({ entries }: { entries: Schemas["AuditEntry"][] }) {
  return (
    <Card title="What changed">
      {entries.length === 0 && <p className="text-sm text-muted">Admins see here who changed what.</p>}
      <ul className="space-y-1.5 text-sm">
        {entries.slice(0, 8).map(({ id, action, actor, created_at }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-3">
            <span>
              {action.replace(".", " ").replaceAll("_", " ")}{" "}
              <span className="text-muted">by {actor.name ?? actor.type}</span>
            </span>
            <span className="text-muted">
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
