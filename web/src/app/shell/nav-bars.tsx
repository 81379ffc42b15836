import { useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { sections } from "@/app/shell/navigation.ts";
import { useOrg } from "@/lib/session.ts";
import { unreadQuery } from "@/queries/inbox.ts";
import { Badge } from "@/ui/badge.tsx";
import { Ellipsis } from "@/ui/icons.ts";
import { Menu } from "@/ui/menu.tsx";

/** The menu beside the page, on a wide screen. */
export function SideBar() {
  return (
    <nav
      aria-label="Main"
      className="sticky top-13 hidden h-[calc(100dvh-52px)] w-48 shrink-0 border-r border-line p-3 sm:block"
    >
      <ul className="space-y-0.5">
        {sections.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === "/", includeSearch: false }}
              className="flex h-8 items-center gap-2.5 rounded px-2 text-sm text-muted hover:bg-raised hover:text-text touch:h-11"
              activeProps={{ className: "bg-raised font-medium text-text!" }}
            >
              <Icon size={16} aria-hidden />
              {label}
              {to === "/inbox" && <UnreadCount />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many messages the inbox has for its reader. */
function UnreadCount() {
  const { data: unread = 0 } = useQuery(unreadQuery(useOrg()));
  if (unread === 0) return null;
  return (
    <span className="ml-auto">
      <Badge tone="info">
        {unread > 99 ? "99+" : unread}
        <span className="sr-only"> unread</span>
      </Badge>
    </span>
  );
}

const shown = 3;
const barItem = "flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted";

/** The menu at the bottom, on a phone. */
export function BottomBar() {
  const router = useRouter();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {sections.slice(0, shown).map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === "/", includeSearch: false }}
          className={barItem}
          activeProps={{ className: "text-accent! font-medium" }}
        >
          <Icon size={20} aria-hidden />
          {label}
        </Link>
      ))}
      <Menu
        trigger={
          <button type="button" className={barItem}>
            <Ellipsis size={20} aria-hidden />
            More
          </button>
        }
        items={sections.slice(shown).map(({ to, label, icon: Icon }) => ({
          label,
          icon: <Icon size={16} aria-hidden />,
          onSelect: () => void router.navigate({ to }),
        }))}
      />
    </nav>
  );
}
