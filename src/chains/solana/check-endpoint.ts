import type { EndpointCheck, EndpointCheckOptions } from "../family.ts";
import { checkEndpoint } from "../rpc/check-endpoint.ts";
import { classifySolanaError } from "./classify-error.ts";

const systemProgram = "11111111111111111111111111111111";
const commitment = "confirmed";

/** Asks an endpoint of a Solana cluster for its slot, and what the engine needs. */
export function checkSolanaEndpoint(options: EndpointCheckOptions): Promise<EndpointCheck> {
  return checkEndpoint(options, {
    classifyError: classifySolanaError,
    head: (rpc) => rpc.request<number>("getSlot", [{ commitment }]),
    questions: [
      { name: "its health", ask: (session) => session.request("getHealth", []) },
      {
        name: "signatures of an address",
        ask: (session) =>
          session.request("getSignaturesForAddress", [systemProgram, { limit: 1, commitment }]),
      },
      {
        name: "several accounts in one call",
        ask: (session) =>
          session.request("getMultipleAccounts", [[systemProgram], { commitment, encoding: "base64" }]),
      },
    ],
  });
}
