import { Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { BottomBar, SideBar } from "@/app/shell/nav-bars.tsx";
import { sections } from "@/app/shell/navigation.ts";
import { OtherOrgDialog } from "@/app/shell/other-org-dialog.tsx";
import { ShortcutSheet } from "@/app/shell/shortcut-sheet.tsx";
import { TopBar } from "@/app/shell/top-bar.tsx";
import { useLive } from "@/app/shell/use-live.ts";
import { usePageFocus } from "@/app/shell/use-page-focus.ts";
import { VerifyBanner } from "@/app/shell/verify-banner.tsx";
import { DemoBanner } from "@/features/demo/demo-banner.tsx";
import { handleKey, useShortcuts } from "@/lib/browser/shortcuts.ts";
import { Toaster } from "@/ui/toast.tsx";

const Palette = lazy(() =>
  import("@/app/palette/palette.tsx").then(({ Palette: found }) => ({ default: found })),
);

/** What surrounds every page. */
export function Shell() {
  const router = useRouter();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const live = useLive();
  usePageFocus();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen(true);
      } else handleKey(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useShortcuts([
    { keys: "?", does: "Show the shortcuts of this page", run: () => setSheetOpen(true) },
    { keys: "/", does: "Search or jump", run: () => setPaletteOpen(true) },
    ...sections.map(({ to, label, key }) => ({
      keys: `g ${key}`,
      does: `Go to ${label}`,
      run: () => void router.navigate({ to }),
    })),
  ]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        Skip to the content
      </a>
      <TopBar live={live} onSearch={() => setPaletteOpen(true)} onShortcuts={() => setSheetOpen(true)} />
      <div className="flex min-w-0 flex-1">
        <SideBar />
        <main id="main" className="min-w-0 flex-1 pb-20 sm:pb-8">
          <VerifyBanner />
          <DemoBanner />
          <Outlet />
        </main>
      </div>
      <BottomBar />
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      <ShortcutSheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
      <OtherOrgDialog otherOrg={live.otherOrg} />
      <Toaster />
    </div>
  );
}
