import { Page } from "@/ui/page.tsx";

export function RulesPage() {
  return <Page title="RulesPage">…</Page>;
}
