import { Page } from "@/ui/page.tsx";

export function ChannelPage() {
  return <Page title="Rule">…</Page>;
}
export function NewChannelPage() {
  return <Page title="Rule">…</Page>;
}
