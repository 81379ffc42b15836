import { Page } from "@/ui/page.tsx";

export function ContractsPage() {
  return <Page title="ContractsPage">…</Page>;
}
