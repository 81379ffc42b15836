import { Link } from "@tanstack/react-router";
import icon from "@/app/icon.svg";
import { LivePill } from "@/app/shell/live-pill.tsx";
import { OrgSwitcher } from "@/app/shell/org-switcher.tsx";
import type { Live } from "@/app/shell/use-live.ts";
import { UserMenu } from "@/app/shell/user-menu.tsx";
import { Search } from "@/ui/icons.ts";

/** The bar at the top: organisation, search, live state, account. */
export function TopBar({
  live,
  onSearch,
  onShortcuts,
}: {
  live: Live;
  onSearch: () => void;
  onShortcuts: () => void;
}) {
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b border-line bg-surface px-3 sm:px-4">
      <Link to="/" aria-label="Overview" className="shrink-0">
        <img src={icon} alt="" width={26} height={26} />
      </Link>
      <OrgSwitcher />
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts="Control+K Meta+K"
        className="ml-auto flex h-8 min-w-8 items-center justify-center gap-2 rounded border border-line-strong px-2 text-sm text-muted hover:bg-raised sm:w-64 sm:justify-start touch:h-11 touch:min-w-11"
      >
        <Search size={15} aria-hidden />
        <span className="sr-only sm:not-sr-only">Search or jump</span>
        <kbd className="ml-auto hidden text-xs sm:inline">Ctrl K</kbd>
      </button>
      <LivePill live={live} />
      <UserMenu onShortcuts={onShortcuts} />
    </header>
  );
}
