import type { ExternalServices } from "../abi/external-services.ts";

/** A service that publishes the source of contracts. */
export type AbiSource = {
  name: string;
  /** The ABI as the service has it, still unread; rejects with a SourceFailure. */
  find(services: ExternalServices, chain_id: number, address: string, timeoutMs: number): Promise<Published>;
};

export type Published = { abi: unknown; name: string | null };

/** A contract's name as its authors wrote it, if it is one. */
export function nameIn(value: unknown): string | null {
  return typeof value === "string" && /^[\w$]{1,100}$/.test(value) ? value : null;
}
