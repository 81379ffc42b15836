/** The request is invalid or reverts: every endpoint would return the same error. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type FailureKind =
  /** No connection, or no usable reply. */
  | "down"
  /** No reply in time. */
  | "timeout"
  /** A valid reply with an error that the request did not cause. */
  | "error"
  /** A rate limit. */
  | "limited"
  /** The API key or the path is rejected; only the operator can fix it. */
  | "refused"
  /** The reply is not JSON-RPC. */
  | "malformed"
  /** The request or the reply exceeds a size limit. */
  | "too_large"
  | "unsupported"
  /** Data that must exist is not there: the endpoint lags. */
  | "missing"
  /** The endpoint no longer keeps this part of the history. */
  | "pruned"
  /** Replies that contradict each other. */
  | "inconsistent"
  /** The task ran out of time before the request was sent; the endpoint is not at fault. */
  | "deadline";

/** A failure of an endpoint. Another endpoint, or the same one later, may succeed. The message contains no URL. */
export class EndpointFailure extends Error {
  override name = "EndpointFailure";
  readonly kind: FailureKind;
  /** The delay that the endpoint requested. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An error that neither the request nor a known condition explains, with the words of the endpoint for the caller to search. */
export class UnexplainedError extends EndpointFailure {
  /** May contain anything, so it is never shown. */
  readonly text: string;

  constructor(message: string, text: string) {
    super("error", message);
    this.text = text;
  }
}

/** The calls that the plan of the provider includes are used up; only time or a larger plan helps. */
export class QuotaUsedUp extends EndpointFailure {
  constructor(retryAfterMs?: number) {
    super("limited", "has used up the quota of its plan", retryAfterMs);
  }
}
