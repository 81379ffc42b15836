import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const yearSeconds = 31_536_000;
const listeners = new Set<() => void>();
const dark = matchMedia("(prefers-color-scheme: dark)");

/** The chosen theme. The service writes the attribute from the cookie, so it is right before the first paint. */
export function currentTheme(): Theme {
  const value = document.documentElement.dataset.theme;
  return value === "light" || value === "dark" ? value : "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const age = theme === "system" ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist on plain http, which self-hosters use.
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  for (const listener of listeners) listener();
}

/** The colours in use, "light" or "dark"; changes with the choice and with the device. */
export function useColors(): "light" | "dark" {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      dark.addEventListener("change", listener);
      return () => {
        listeners.delete(listener);
        dark.removeEventListener("change", listener);
      };
    },
    () => {
      const theme = currentTheme();
      if (theme !== "system") return theme;
      return dark.matches ? "dark" : "light";
    },
  );
}
