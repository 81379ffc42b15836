import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";

/**
 * Parses a URL that the service is asked to call. Returns the URL without its fragment, or the reason for its
 * rejection.
 */
export function parseOutboundUrl(text: string, policy: AddressPolicy): URL | string {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  if (!url) return "This is not a valid URL.";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "The URL must start with https://.";
  if (url.username || url.password) return "The URL must not contain a user name or a password.";

  const host = bareHost(url);
  const refused = isIP(host) ? addressRejection(url, host, policy) : nameRejection(url, policy);
  if (refused) return refused;
  url.hash = "";
  return url;
}

const maxUrlLength = 2048;

/** The reason why the URL may not be called at the resolved address, or undefined. */
export function addressRejection(url: URL, address: string, policy: AddressPolicy): string | undefined {
  if (policy.isListed(address)) return undefined;
  if (url.protocol === "http:") return plainHttp;
  if (isLocalName(bareHost(url))) return localName;
  return policy.rejectionReason(address);
}

/** The host without brackets and trailing dots, as sockets and resolvers expect it. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

const plainHttp = "The URL must start with https://; plain http is only for addresses the operator allows.";
const localName = "The URL names a host on a local network.";

// Rejects local names early. With an operator's list their addresses are checked when connecting.
function nameRejection(url: URL, policy: AddressPolicy): string | undefined {
  if (policy.hasList) return undefined;
  if (url.protocol === "http:") return plainHttp;
  return isLocalName(bareHost(url)) ? localName : undefined;
}

/** True for names of the local network: one label, or a reserved suffix. */
export function isLocalName(host: string): boolean {
  if (isIP(host)) return false;
  return !host.includes(".") || /\.(localhost|local|internal|localdomain|lan|home\.arpa)$/.test(host);
}
