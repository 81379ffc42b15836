import type { Live } from "@/app/shell/use-live.ts";
import { Button } from "@/ui/button.tsx";
import { CircleDashed, CirclePause, Radio } from "@/ui/icons.ts";

const looks = {
  live: { label: "Live", icon: Radio, color: "text-ok" },
  connecting: { label: "Connecting", icon: CircleDashed, color: "text-muted" },
  reconnecting: { label: "Reconnecting", icon: CircleDashed, color: "text-warning" },
  paused: { label: "Paused", icon: CirclePause, color: "text-muted" },
};

/** Whether the page follows what happens. Pressing it stops or continues. */
export function LivePill({ live: { state, isPaused, setPaused } }: { live: Live }) {
  const { label, icon: Icon, color } = looks[state];
  return (
    <Button
      aria-pressed={isPaused}
      aria-label={`${label}. ${isPaused ? "Continue live updates" : "Pause live updates"}`}
      title={isPaused ? "Continue live updates" : "Pause live updates"}
      onClick={() => setPaused(!isPaused)}
      icon={<Icon size={15} aria-hidden className={color} />}
      className="touch:min-w-11"
    >
      <span className="hidden sm:inline" role="status">
        {label}
      </span>
    </Button>
  );
}
