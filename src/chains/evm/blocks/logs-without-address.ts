import { RpcError } from "../../rpc/failure.ts";

/** The feature that an endpoint lacks when it returns logs of named addresses only. */
export const unfilteredLogs = "eth_getLogs without an address";

/** Returns whether an error means that the endpoint returns logs of named addresses only. */
export function isAddressRequired(error: unknown): boolean {
  return error instanceof RpcError && isAddressProblem(error);
}

export function isAddressProblem({ code, message }: { code: number; message: string }): boolean {
  return code === -32701 || addressText.test(message);
}

const addressText =
  /(specify|provide|include|requires?|must (have|contain|include)|missing|without) (at least )?(an? |one |the |contract )*address|address(es)? (filter )?(is|are|must be) (required|mandatory|specified)|unfiltered|query (is )?too broad/i;
