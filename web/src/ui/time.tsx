import { useNow } from "@/lib/browser/now.ts";
import { ago } from "@/lib/text/units.ts";

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** "16 Nov 2026, 12:03:10 UTC". */
export function utcText(iso: string): string {
  const date = new Date(iso);
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return `${day}, ${date.toISOString().slice(11, 19)} UTC`;
}

/** A moment: relative, with UTC and local time on hover, or absolute in UTC. */
export function Time({
  at,
  isAbsolute = false,
  suffix = "ago",
}: {
  at: string;
  isAbsolute?: boolean;
  suffix?: string;
}) {
  const now = useNow();
  const utc = utcText(at);
  return (
    <time dateTime={at} title={`${utc} · ${local.format(new Date(at))} local`} className="whitespace-nowrap">
      {isAbsolute ? utc : `${ago(Date.parse(at), now)} ${suffix}`.trim()}
    </time>
  );
}
