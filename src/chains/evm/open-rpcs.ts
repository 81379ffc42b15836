import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound, type Outbound } from "../../lib/outbound/outbound.ts";
import { callUrls } from "../rpc/endpoint-urls.ts";
import { makeRpc, type Rpc } from "../rpc/rpc.ts";
import { classifyEvmError } from "./classify-error.ts";
import { verifyChainId } from "./heads/verify-chain-id.ts";
import type { EvmReaderOptions } from "./reader-options.ts";

/** `rpc` reads heads and blocks, `auxiliary` what is read beside them, so that neither waits for the other. */
export type EvmRpcs = { rpc: Rpc; auxiliary: Rpc; close(): void };

export function openRpcs(options: EvmReaderOptions): EvmRpcs {
  const { chain, urls, clock, log, onRequest, counter, timeoutMs, deadlineMs } = options;
  const ownOutbound = options.outbound
    ? undefined
    : makeOutbound({ policy: makeAddressPolicy({ allow: anywhere }) });
  const common = {
    ...{ urls: callUrls(urls), clock, log, onRequest, counter },
    outbound: options.outbound ?? (ownOutbound as Outbound),
    classifyError: classifyEvmError,
    handshake: verifyChainId(chain),
  };
  const rpc = makeRpc({ ...common, timeoutMs, deadlineMs });
  const auxiliary = makeRpc({
    ...common,
    auxiliaryTo: rpc,
    timeoutMs: timeoutMs ?? auxiliaryTimeoutMs,
    deadlineMs: deadlineMs ?? auxiliaryDeadlineMs,
  });
  const close = () => {
    rpc.close();
    auxiliary.close();
    ownOutbound?.close();
  };
  return { rpc, auxiliary, close };
}

/** State reads, finality and traces give up sooner than blocks. */
const auxiliaryTimeoutMs = 8_000;
const auxiliaryDeadlineMs = 15_000;

const anywhere = ["0.0.0.0/0", "::/0"];
