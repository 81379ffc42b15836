import { Page } from "@/ui/page.tsx";

export function RulePage() {
  return <Page title="Rule">…</Page>;
}
export function NewRulePage() {
  return <Page title="Rule">…</Page>;
}
