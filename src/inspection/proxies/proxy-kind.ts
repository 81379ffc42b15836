import type { Hex, Read, ReadResult } from "../../chains/block.ts";

/** What one way of being a proxy looks like. */
export type ProxyKind = {
  kind: string;
  /** What must be read of an address besides its code. */
  reads(address: string): Read[];
  /** What was found; undefined when it is no proxy of this kind. Throws an Unreadable where that cannot be told. */
  detect(code: Hex, results: readonly ReadResult[]): FoundProxy | undefined;
};

export type FoundProxy = {
  /** Where its code is: one address, or several of a diamond; none when the beacon has to be asked. */
  implementations: string[];
  admin?: string | undefined;
  beacon?: string | undefined;
};
