import { useQuery } from "@tanstack/react-query";
import { useOrg } from "@/lib/session.ts";
import { demoIncidentsQuery } from "@/queries/demo.ts";
import { Card } from "@/ui/card.tsx";

/** Explains which incident of the demo chain an alert is about. */
export function DemoStory({ event }: { event: { chain: string; block_number: number | null } }) {
  const block = event.chain === "demo" ? event.block_number : null;
  const { data: incidents = [] } = useQuery({
    ...demoIncidentsQuery(useOrg(), block ?? 0),
    enabled: block !== null,
  });
  return incidents.map(({ title, text, from_block }) => (
    <Card key={from_block} title={`Demo: ${title}`}>
      <p className="max-w-prose text-sm wrap-break-word">{text}</p>
    </Card>
  ));
}
