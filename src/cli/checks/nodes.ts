import { familyOf } from "../../chains/families.ts";
import { chainOf } from "../../chains/index.ts";
import { rpcName } from "../../config/rpc.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Check } from "./check.ts";

/** A check of each endpoint of each chain. Only its host is shown: the rest of a URL may contain keys. */
export function nodeChecks({ rpc, solanaStream }: Config): Check[] {
  return [
    ...[...rpc].flatMap(([key, urls]) => urls.map((url, index) => nodeCheck(key, url, index + 1))),
    ...(solanaStream.url ? [streamCheck(solanaStream.url, solanaStream.token, rpc.has("solana"))] : []),
  ];
}

function streamCheck(url: string, token: string | undefined, hasNodes: boolean): Check {
  const chain = chainOf("solana");
  return {
    name: `Solana stream (${URL.parse(url)?.host})`,
    remedy: hasNodes
      ? "Correct SOLANA_GRPC_URL and SOLANA_GRPC_TOKEN."
      : "Set RPC_SOLANA as well: nodes confirm what is streamed.",
    async probe() {
      if (!hasNodes) throw new Error("The stream is not used, because RPC_SOLANA is not set.");
      const slot = chain && (await familyOf(chain).checkStream?.({ url, token }, systemClock));
      return `slot ${slot}`;
    },
  };
}

function nodeCheck(key: string, url: string, number: number): Check {
  const chain = chainOf(key);
  return {
    name: `${chain?.name ?? key} endpoint ${number} (${URL.parse(url)?.host})`,
    remedy: `Correct or remove this URL in ${rpcName(key)}.`,
    async probe() {
      if (!chain) throw new Error(`The chain ${key} is not supported.`);
      const { head, latencyMs, refuses } = await familyOf(chain).checkEndpoint({
        chain,
        url,
        clock: systemClock,
      });
      const limits = refuses.length > 0 ? `; does not serve ${refuses.join(", ")}` : "";
      return `${chain.kind === "solana" ? "slot" : "block"} ${head}, ${latencyMs} ms${limits}`;
    },
  };
}
