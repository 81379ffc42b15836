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
  /** No reply. */
  | "down"
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
  /** Replies that contradict each other. */
  | "inconsistent";

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
