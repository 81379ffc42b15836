import { chainOf, chains } from "../chains/index.ts";
import { OperatorError } from "../lib/operator-error.ts";

/** Parses the `RPC_<CHAIN>` settings into RPC URLs by chain key. */
export function parseRpc(given: Record<string, string | undefined>): Map<string, string[]> {
  const rpc = new Map<string, string[]>();
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith("RPC_") || value === undefined) continue;
    const chain = chainOf(name.slice(4).toLowerCase());
    if (!chain) {
      const known = chains.map((one) => rpcName(one.chain)).join(", ");
      throw new OperatorError(`${name} names an unknown chain. Known chains: ${known}.`);
    }
    const urls = value.split(",").map((url) => url.trim());
    if (!urls.every((url) => /^(https?|wss?):$/.test(protocolOf(url)))) {
      throw new OperatorError(`${name} must be http(s) or ws(s) URLs separated by commas.`);
    }
    rpc.set(chain.chain, urls);
  }
  return rpc;
}

/** The name of the setting with the RPC URLs of a chain. */
export function rpcName(chain: string): string {
  return `RPC_${chain.toUpperCase()}`;
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
