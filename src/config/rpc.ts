import { chainOf, chains } from "../chains/index.ts";
import { OperatorError } from "../lib/operator-error.ts";

/** The limits of reading one chain. */
export type RpcLimits = { callsPerDay?: number; pollSeconds?: number };

const limitNames = { RPC_BUDGET_: "callsPerDay", RPC_POLL_: "pollSeconds" } as const;
const maxPollSeconds = 600;

/** Parses the settings `RPC_BUDGET_<CHAIN>` (calls a day) and `RPC_POLL_<CHAIN>` (seconds between polls). */
export function parseRpcLimits(environment: Record<string, string | undefined>): Map<string, RpcLimits> {
  const limits = new Map<string, RpcLimits>();
  for (const [name, value] of Object.entries(environment)) {
    const prefix = limitPrefixOf(name);
    if (!prefix || value === undefined) continue;
    const chain = chainOf(name.slice(prefix.length).toLowerCase());
    if (!chain) throw new OperatorError(`${name} names an unknown chain.`);
    const field = limitNames[prefix];
    const number = Number(value);
    const isValid =
      field === "callsPerDay"
        ? Number.isSafeInteger(number) && number >= 1000
        : number >= 0.25 && number <= maxPollSeconds;
    if (!isValid) {
      const rule =
        field === "callsPerDay"
          ? "a whole number of calls a day, at least 1000"
          : `a number of seconds from 0.25 to ${maxPollSeconds}`;
      throw new OperatorError(`${name} must be ${rule} (it is ${JSON.stringify(value)}).`);
    }
    limits.set(chain.chain, { ...limits.get(chain.chain), [field]: number });
  }
  return limits;
}

function limitPrefixOf(name: string): keyof typeof limitNames | undefined {
  if (name.startsWith("RPC_BUDGET_")) return "RPC_BUDGET_";
  return name.startsWith("RPC_POLL_") ? "RPC_POLL_" : undefined;
}

/** Parses the `RPC_<CHAIN>` settings into RPC URLs by chain key. */
export function parseRpc(environment: Record<string, string | undefined>): Map<string, string[]> {
  const rpc = new Map<string, string[]>();
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("RPC_") || limitPrefixOf(name) || value === undefined) continue;
    const chain = chainOf(name.slice(4).toLowerCase());
    if (!chain) {
      const chainNames = chains.map((chain) => rpcName(chain.chain)).join(", ");
      throw new OperatorError(`${name} names an unknown chain. Known chains: ${chainNames}.`);
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
