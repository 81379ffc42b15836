import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";

/** Reads a URL this service is asked to call: the URL without its fragment, or why it is refused, as a sentence. */
export function parseOutboundUrl(text: string, policy: AddressPolicy): URL | string {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  if (!url) return "This is not a valid URL.";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "The URL must start with https://.";
  if (url.username || url.password) return "The URL must not contain a user name or a password.";

  const host = bareHost(url);
  const refused = isIP(host) ? addressRefusal(url, host, policy) : nameRefusal(url, policy);
  if (refused) return refused;
  url.hash = "";
  return url;
}

const maxUrlLength = 2048;

/** Why this URL may not be called at this address, which is the one its host turned out to have. */
export function addressRefusal(url: URL, address: string, policy: AddressPolicy): string | undefined {
  if (policy.isListed(address)) return undefined;
  if (url.protocol === "http:") return plainHttp;
  if (isLocalName(bareHost(url))) return localName;
  return policy.refusal(address);
}

/** The host as sockets and resolvers take it: no brackets, no dots at the end. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

const plainHttp = "The URL must start with https://; plain http is only for addresses the operator allows.";
const localName = "The URL names a host on a local network.";

// What a name leads to is only known when connecting; without a list, these could never be allowed.
function nameRefusal(url: URL, policy: AddressPolicy): string | undefined {
  if (policy.hasList) return undefined;
  if (url.protocol === "http:") return plainHttp;
  return isLocalName(bareHost(url)) ? localName : undefined;
}

/** Whether a name can only mean a machine nearby: one word, or an ending kept for local use. */
export function isLocalName(host: string): boolean {
  if (isIP(host)) return false;
  return !host.includes(".") || /\.(localhost|local|internal|localdomain|lan|home\.arpa)$/.test(host);
}
