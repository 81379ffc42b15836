import type { Hex, Read, ReadResult } from "../../chains/block.ts";

/** The detection of one kind of proxy. */
export type ProxyKind = {
  kind: string;
  /** Returns the reads that detection needs besides the code. */
  reads(address: string): Read[];
  /** Returns the proxy, or undefined if it is not of this kind. Throws UnreadableState if a read failed. */
  detect(code: Hex, results: readonly ReadResult[]): FoundProxy | undefined;
};

export type FoundProxy = {
  /** One address, the facets of a diamond, or none if the beacon must be read. */
  implementations: string[];
  admin?: string | undefined;
  beacon?: string | undefined;
};
