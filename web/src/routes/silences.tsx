import { Page } from "@/ui/page.tsx";

export function SilencesPage() {
  return <Page title="SilencesPage">…</Page>;
}
