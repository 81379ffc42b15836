import { Page } from "@/ui/page.tsx";

export function NewContractPage() {
  return <Page title="NewContractPage">…</Page>;
}
