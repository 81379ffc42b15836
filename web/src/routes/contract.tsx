import { Page } from "@/ui/page.tsx";

export function ContractPage() {
  return <Page title="ContractPage">…</Page>;
}
