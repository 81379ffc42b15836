import { isIP, type LookupFunction } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";
import { addressRejection } from "./outbound-url.ts";
import type { ResolveHost } from "./resolve-host.ts";

/** The host resolves to an address that the policy forbids. */
export class AddressForbidden extends Error {
  override name = "AddressRefused";
}

/** The host could not be resolved. */
export class LookupFailed extends Error {
  override name = "LookupFailed";
}

/**
 * A socket `lookup` that returns only addresses that the policy allows. The socket connects to the checked address,
 * so DNS rebinding between check and use has no effect.
 */
export function makeVettedLookup(
  protocol: "http:" | "https:",
  { policy, resolve }: { policy: AddressPolicy; resolve: ResolveHost },
): LookupFunction {
  return (host, options, callback) => {
    vet(host).then(
      (addresses) =>
        options.all
          ? callback(null, addresses)
          : callback(null, addresses[0]?.address ?? "", addresses[0]?.family),
      (error: Error) => callback(error, []),
    );
  };

  async function vet(host: string): Promise<{ address: string; family: number }[]> {
    const addresses = await resolve(host).catch((cause: unknown) => {
      throw new LookupFailed("The host was not found.", { cause });
    });
    if (addresses.length === 0) throw new LookupFailed("The host has no address.");
    const url = new URL(`${protocol}//${host}`);
    // One forbidden address rejects the host: a mix of public and private addresses indicates DNS rebinding.
    for (const address of addresses) {
      const refused = addressRejection(url, address, policy);
      if (refused) throw new AddressForbidden(refused);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }
}
