/** Every error code with its HTTP status. Add a line to define a new error. */
export const errorStatus = {
  bad_request: 400,
  invalid_token: 400,
  wrong_password: 400,
  weak_password: 400,
  channel_test_failed: 400,
  invalid_signature: 400,
  invalid_code: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  session_expired: 401,
  api_key_missing: 401,
  api_key_invalid: 401,
  api_key_revoked: 401,
  api_key_expired: 401,
  admin_required: 403,
  role_required: 403,
  tier_required: 403,
  quota_exceeded: 403,
  csrf: 403,
  verification_required: 403,
  session_required: 403,
  read_only_key: 403,
  out_of_scope: 403,
  no_active_org: 403,
  approval_pending: 403,
  signup_rejected: 403,
  signup_closed: 403,
  invite_email_mismatch: 403,
  webhook_refused: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  email_taken: 409,
  contract_exists: 409,
  channel_in_use: 409,
  target_in_use: 409,
  target_exists: 409,
  managed_by_policy: 409,
  policy_exists: 409,
  label_exists: 409,
  already_member: 409,
  already_invited: 409,
  already_subscribed: 409,
  api_key_inactive: 409,
  last_admin: 409,
  subscription_active: 409,
  delivery_in_progress: 409,
  idempotency_in_progress: 409,
  idempotency_key_reused: 409,
  shown_once: 409,
  link_used: 410,
  link_expired: 410,
  code_expired: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  rate_limited: 429,
  org_busy: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  chain_unavailable: 503,
  billing_not_configured: 503,
  billing_unavailable: 503,
  sms_not_configured: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** A limit of requests per time that a caller exceeded, sent as `RateLimit-Policy`. */
export type RateWindow = { name: string; limit: number; seconds: number };

/** An error with a code for programs, a message for people and a cause that is only logged. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  /** Whole seconds to wait, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  readonly window: RateWindow | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; window?: RateWindow } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.window = options.window;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** One validation error of a request; `loc` starts with body, query, path, header or cookie. */
export type Issue = { loc: (string | number)[]; msg: string; type: string };

/** The maximum number of reported problems; a request of one mebibyte can have half a million. */
export const maxIssues = 100;
/** The maximum length of a name in a location, because a caller chooses the names of unknown fields. */
const maxStepLength = 100;

/** An invalid request; the reply is a 422 with the first 100 issues and, if there are more, an issue that says so. */
export class InvalidRequest extends Error {
  override name = "InvalidRequest";
  readonly issues: Issue[];

  constructor(issues: Issue[]) {
    const reported = limitIssues(issues);
    super(reported.map((issue) => `${issue.loc.join(".")}: ${issue.msg}`).join("; "));
    this.issues = reported;
  }
}

/** Returns the first issues with shortened locations, and an issue that says how many more were found. */
export function limitIssues(issues: Issue[]): Issue[] {
  const reported = issues.slice(0, maxIssues).map((issue) => ({ ...issue, loc: issue.loc.map(shortenStep) }));
  const root = reported[0]?.loc[0] ?? "body";
  if (issues.length <= maxIssues) return reported;
  const msg = `has more problems than the ${maxIssues} that are listed; correct these and send it again`;
  return [...reported, { loc: [root], msg, type: "too_many_problems" }];
}

function shortenStep(step: string | number): string | number {
  return typeof step === "string" && step.length > maxStepLength ? `${step.slice(0, maxStepLength)}…` : step;
}
