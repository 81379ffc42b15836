import type { BlockRef } from "../../reader.ts";
import type { Session } from "../../rpc/session.ts";
import { type BlockVerifier, UnverifiableHeader } from "../blocks/block-verifier.ts";
import { asEndpointFailure } from "../blocks/fetch-context.ts";
import { readBlockRef } from "../blocks/header.ts";

/** The head that one endpoint reports. */
export type ReportedHead = { endpoint: number; ref: BlockRef; value: unknown };

/** Fetches and verifies the newest block of an endpoint; `isWhole` includes its transactions. */
export async function fetchHead(
  session: Session,
  verifier: BlockVerifier,
  isWhole = false,
): Promise<ReportedHead> {
  const { endpoint } = session;
  let value = await requestHeader(session, "latest", { isWhole });
  const { height } = readBlockRef(value);
  // `latest` soon names another block, so a header that cannot be verified is fetched again at once, by its height.
  for (let retry = 0; retry < 2 && !isVerifiable(verifier, value, endpoint); retry++) {
    value = await requestHeader(session, height, { isWhole });
  }
  return { endpoint, ref: verifier.acceptRef(value, endpoint), value };
}

/** Requests a block, by default without its transactions. */
export function requestHeader(
  session: Session,
  block: number | "latest",
  { mustExist = true, isWhole = false } = {},
): Promise<unknown> {
  const parameter = block === "latest" ? block : `0x${block.toString(16)}`;
  return session
    .request("eth_getBlockByNumber", [parameter, isWhole], { mustExist })
    .catch((error: unknown) => {
      throw asEndpointFailure(error);
    });
}

function isVerifiable(verifier: BlockVerifier, value: unknown, endpoint: number): boolean {
  try {
    verifier.acceptRef(value, endpoint);
    return true;
  } catch (error) {
    if (error instanceof UnverifiableHeader) return false;
    throw error;
  }
}
