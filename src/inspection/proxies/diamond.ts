import { readCall } from "../../meters/state-results.ts";
import { addressesIn } from "../classify/call-results.ts";
import type { ProxyKind } from "./proxy-kind.ts";

const facetAddresses = "facetAddresses() view returns (address[])";
const maxFacets = 100;

/** EIP-2535 diamonds: several facets, each with some of the functions. */
export const diamond: ProxyKind = {
  kind: "diamond",
  reads: (address) => [readCall(address, facetAddresses)],
  detect(_code, [result]) {
    const facets = [...new Set(addressesIn(result, facetAddresses))].slice(0, maxFacets);
    return facets.length > 0 ? { implementations: facets } : undefined;
  },
};
