import "@/lib/browser/nonce.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeAppRouter } from "@/app/router.tsx";
import { applyTheme, currentTheme } from "@/lib/browser/theme.ts";
import { queryClient } from "@/lib/query-client.ts";
import { goToLogIn, isSignedOut, meQuery, orgsQuery, SessionProvider } from "@/lib/session.ts";
import { ErrorText } from "@/ui/error-text.tsx";

// After a new release a page that is still open asks for files that no longer exist. Loading it again fixes that.
addEventListener("vite:preloadError", () => {
  if (sessionStorage.getItem("reloaded") === location.href) return;
  sessionStorage.setItem("reloaded", location.href);
  location.reload();
});

const element = document.getElementById("root");
if (element) void start(element);

async function start(container: HTMLElement): Promise<void> {
  const root = createRoot(container);
  try {
    const [user, orgs] = await Promise.all([
      queryClient.fetchQuery(meQuery),
      queryClient.fetchQuery(orgsQuery),
    ]);
    const org = orgs.find(({ id }) => id === user.active_org_id) ?? orgs[0];
    if (!org) throw new Error("Your account belongs to no organisation. Ask an admin for an invitation.");
    if (user.theme !== currentTheme()) applyTheme(user.theme);
    const router = makeAppRouter({ client: queryClient, org: org.id });
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <SessionProvider value={{ user, org }}>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
  } catch (error) {
    if (isSignedOut(error)) return goToLogIn();
    root.render(
      <main className="mx-auto max-w-md p-6">
        <h1 className="mb-3 text-xl font-semibold">Tocsin could not start</h1>
        <ErrorText error={error} />
      </main>,
    );
  }
}
