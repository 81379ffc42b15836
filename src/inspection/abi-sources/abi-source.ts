import type { ExternalServices } from "../abi/external-services.ts";

/** A registry of verified contract sources. */
export type AbiSource = {
  name: string;
  /** Fetches the ABI, not yet validated. Rejects with a SourceError. */
  find(
    services: ExternalServices,
    chain_id: number,
    address: string,
    timeoutMs: number,
  ): Promise<PublishedAbi>;
};

export type PublishedAbi = { abi: unknown; name: string | null };

/** Returns the name of a contract if it is a valid identifier. */
export function validContractName(value: unknown): string | null {
  return typeof value === "string" && /^[\w$]{1,100}$/.test(value) ? value : null;
}
