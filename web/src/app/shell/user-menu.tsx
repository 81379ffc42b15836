import { chooseTheme } from "@/app/shell/choose-theme.ts";
import { logOut } from "@/app/shell/switch-org.ts";
import { useSession } from "@/lib/session.ts";
import { IconButton } from "@/ui/button.tsx";
import { BookOpen, Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from "@/ui/icons.ts";
import { Menu } from "@/ui/menu.tsx";
import { toast } from "@/ui/toast.tsx";

export function UserMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { user } = useSession();
  const size = { size: 15, "aria-hidden": true } as const;
  return (
    <Menu
      trigger={
        <IconButton label="Account">
          <UserRound size={17} aria-hidden />
        </IconButton>
      }
      items={[
        { label: "Light theme", icon: <Sun {...size} />, onSelect: () => chooseTheme("light") },
        { label: "Dark theme", icon: <Moon {...size} />, onSelect: () => chooseTheme("dark") },
        { label: "Theme of the device", icon: <Monitor {...size} />, onSelect: () => chooseTheme("system") },
        { label: "Keyboard shortcuts", icon: <Keyboard {...size} />, hint: "?", onSelect: onShortcuts },
        { label: "API reference", icon: <BookOpen {...size} />, onSelect: () => location.assign("/redoc") },
        { label: "Log out", icon: <LogOut {...size} />, onSelect: () => logOut().catch(toast.failed) },
      ]}
    >
      <div className="border-b border-line px-2 pt-1 pb-2 text-sm">
        <p className="font-medium">{user.name}</p>
        <p className="text-xs break-all text-muted">{user.email}</p>
      </div>
    </Menu>
  );
}
