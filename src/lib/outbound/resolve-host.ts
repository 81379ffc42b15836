import { lookup, Resolver } from "node:dns/promises";
import { makeBulkhead } from "../concurrency/bulkhead.ts";
import { isLocalName } from "./outbound-url.ts";

/** Resolves a host name to all its addresses. Tests inject their own. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * Queries the name servers first, then the operating system for names they do not know (hosts file, search domain).
 * The system is not queried after a timeout: its lookups block threads that password hashing needs.
 */
export const resolveHost: ResolveHost = async (host) => {
  if (isLocalName(host)) return askSystem(host);
  const answers = await Promise.allSettled([nameServers.resolve4(host), nameServers.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const late = answers.find((answer) => answer.status === "rejected" && answer.reason?.code === "ETIMEOUT");
  if (late?.status === "rejected") throw late.reason;
  return askSystem(host);
};

const nameServers = new Resolver({ timeout: 2000, tries: 2 });
const systemLookups = makeBulkhead({ maxConcurrent: 2, maxQueued: 100 });

async function askSystem(host: string): Promise<string[]> {
  const addresses = await systemLookups.run(() => lookup(host, { all: true }));
  return addresses.map(({ address }) => address);
}
