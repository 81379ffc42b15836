/** An answer that says the request itself is wrong or reverts: another endpoint would say the same. */
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
  /** No answer. */
  | "down"
  /** A proper answer that tells of an error, and not one of the request's. */
  | "error"
  /** Asked too often. */
  | "limited"
  /** The key or the path is refused; only the operator can help. */
  | "refused"
  /** Not JSON-RPC. */
  | "malformed"
  /** More than the endpoint or we are willing to send at once. */
  | "too_large"
  | "unsupported"
  /** Something that must exist is not there: the endpoint lags. */
  | "missing"
  /** Answers that contradict each other. */
  | "inconsistent";

/** What an endpoint got wrong. Another endpoint, or the same one later, may get it right. Never names more than its fault. */
export class EndpointFailure extends Error {
  override name = "EndpointFailure";
  readonly kind: FailureKind;
  /** How long the endpoint asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
