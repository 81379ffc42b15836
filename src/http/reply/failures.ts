import { AppError, type ErrorCode, InvalidRequest, type RateWindow } from "../../errors/app-error.ts";
import { BulkheadFull } from "../../lib/concurrency/bulkhead.ts";
import { OwnerBusy } from "../../lib/concurrency/fair-queue.ts";
import { WorkLimitExceeded } from "../../lib/concurrency/worker-pool.ts";

/** The reply to a failed request. */
export type ErrorReply = {
  status: number;
  body: unknown;
  retryAfterSeconds?: number | undefined;
  window?: RateWindow | undefined;
};

/** Converts a thrown error into a reply. Messages of foreign errors are never sent. */
export function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof InvalidRequest) return { status: 422, body: { detail: error.issues } };
  const appError =
    error instanceof AppError ? error : (fromLimits(error) ?? fromFramework(error) ?? fromDatabase(error));
  if (appError instanceof InvalidRequest) return toErrorReply(appError);
  const { status, message, code, retryAfterSeconds, window } =
    appError ?? new AppError("internal", "Internal error. It has been logged.", { cause: error });
  return { status, body: { detail: message, code }, retryAfterSeconds, window };
}

/** Limits on what runs at once, and on the time and memory of one task. */
function fromLimits(error: unknown): AppError | InvalidRequest | undefined {
  if (error instanceof WorkLimitExceeded) {
    return new InvalidRequest([
      { loc: ["body"], msg: `${error.message}; send less at once`, type: "too_complex" },
    ]);
  }
  if (error instanceof OwnerBusy) {
    const message =
      "Too many requests of this kind are running for the organisation. Try again in a few seconds.";
    return new AppError("org_busy", message, { cause: error, retryAfterSeconds: 2 });
  }
  if (!(error instanceof BulkheadFull)) return undefined;
  return new AppError("unavailable", "The service is overloaded. Try again later.", {
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}

const frameworkErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The body is too large."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the body as application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["bad_request", "The body does not match its Content-Length."],
  FST_ERR_BAD_URL: ["bad_request", "The path is not validly encoded."],
  FST_ERR_MAX_PARAM_LENGTH: ["uri_too_long", "A part of the path is too long."],
};

function fromFramework(error: unknown): AppError | undefined {
  const response = frameworkErrors[codeOf(error) ?? ""];
  if (response) return new AppError(...response, { cause: error });
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500
    ? new AppError("bad_request", "The request could not be parsed.", { cause: error })
    : undefined;
}

/** Maps SQLSTATE codes: invalid data and violated constraints to client errors, an unavailable database to 503. */
function fromDatabase(error: unknown): AppError | InvalidRequest | undefined {
  const code = codeOf(error);
  if (code?.match(/^22...$/)) {
    return new InvalidRequest([
      { loc: ["body"], msg: "contains a value that cannot be stored", type: "value_error" },
    ]);
  }
  if (code?.match(/^23...$/)) {
    return new AppError("conflict", "The request conflicts with an existing item or a concurrent change.", {
      cause: error,
    });
  }
  return isDatabaseUnavailable(error)
    ? new AppError("unavailable", "The database is temporarily unavailable. Try again.", {
        cause: error,
        retryAfterSeconds: 2,
      })
    : undefined;
}

/** True for connection failures, shutdown, too many connections, disk full, timeouts and conflicts that outlasted retries. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code && /^(08...|40001|40P01|53...|55000|55P03|57P0.|57014|58030|25P03|25006)$/.test(code)) return true;
  if (code && /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return true;
  if (code === "ENOENT" && error instanceof Error && "syscall" in error) return error.syscall === "connect";
  const message = error instanceof Error ? error.message : "";
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired|Client (has encountered a connection error|was closed)/.test(
    message,
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
