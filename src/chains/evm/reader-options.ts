import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log/log.ts";
import type { Outbound } from "../../lib/outbound/outbound.ts";
import type { Chain } from "../chain.ts";
import type { CallBudget } from "../rpc/call-budget.ts";
import type { CallCounter } from "../rpc/call-counter.ts";
import type { RequestEvent } from "../rpc/endpoint/endpoint.ts";

export type EvmReaderOptions = {
  chain: Chain;
  /** Calls go to http(s) URLs, or to ws(s) URLs if there are no others; ws(s) URLs announce new heads. */
  urls: readonly string[];
  clock: Clock;
  log?: Log | undefined;
  /** By default a client that may reach any address, because the operator chose the RPC URLs. */
  outbound?: Outbound | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Counts every call. */
  counter?: CallCounter | undefined;
  budget?: CallBudget | undefined;
  /** The interval between polls that the operator chose. */
  pollMs?: number | undefined;
  timeoutMs?: number | undefined;
  /** For one task, including waits and other endpoints. */
  deadlineMs?: number | undefined;
  /**
   * Reads on behalf of a request: one that fails rejects, with a gas limit that suits contracts that callers choose. The
   * engine's state reads settle one by one, and never compete with its blocks.
   */
  isForRequests?: boolean | undefined;
};
