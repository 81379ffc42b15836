import { api } from "@/lib/api.ts";
import { queryClient } from "@/lib/query-client.ts";

const channelName = "tocsin-org";

/** Makes another organisation the active one, and loads the page again so that nothing of the old one is left. */
export async function switchOrg(org_id: string, url = "/"): Promise<void> {
  await api.POST("/api/v1/orgs/{org_id}/switch", { params: { path: { org_id } } });
  announce(org_id);
  queryClient.clear();
  location.assign(url);
}

function announce(org_id: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(org_id);
  channel.close();
}

/** Calls back when another tab has switched. Returns the function that stops. */
export function onSwitch(callback: (org_id: string) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }) => callback(String(data));
  return () => channel.close();
}

export async function logOut(): Promise<void> {
  await api.POST("/api/v1/auth/logout");
  queryClient.clear();
  location.assign("/login");
}
