import { api } from "@/lib/api.ts";
import { applyTheme, type Theme } from "@/lib/browser/theme.ts";
import { toast } from "@/ui/toast.tsx";

/** Applies a theme at once and stores it with the account, so that other devices follow. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  api.PATCH("/api/v1/auth/me/theme", { body: { theme } }).catch(toast.failed);
}
