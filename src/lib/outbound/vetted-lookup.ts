import { isIP, type LookupFunction } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";
import { addressRefusal } from "./outbound-url.ts";
import type { ResolveHost } from "./resolve-host.ts";

/** The host leads to an address the policy forbids. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** The host has no address, or none was found. */
export class LookupFailed extends Error {
  override name = "LookupFailed";
}

/**
 * A `lookup` for sockets that hands back only addresses the policy allows for this scheme. The socket connects
 * to what was checked here, so a name that changes its answer between check and use gains nothing.
 */
export function makeVettedLookup(
  protocol: "http:" | "https:",
  { policy, resolve }: { policy: AddressPolicy; resolve: ResolveHost },
): LookupFunction {
  return (host, options, callback) => {
    vet(host).then(
      (found) =>
        options.all ? callback(null, found) : callback(null, found[0]?.address ?? "", found[0]?.family),
      (error: Error) => callback(error, []),
    );
  };

  async function vet(host: string): Promise<{ address: string; family: number }[]> {
    const addresses = await resolve(host).catch((cause: unknown) => {
      throw new LookupFailed("The host was not found.", { cause });
    });
    if (addresses.length === 0) throw new LookupFailed("The host has no address.");
    const url = new URL(`${protocol}//${host}`);
    // One forbidden answer spoils all: a mix of public and private is how rebinding is tried.
    for (const address of addresses) {
      const refused = addressRefusal(url, address, policy);
      if (refused) throw new AddressRefused(refused);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }
}
