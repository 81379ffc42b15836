import type { Stripe } from "stripe";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";

/** Shorter than the deadline of a request, so that the reply can name the cause. */
const budgetMs = 4_300;
/** Timeout of one call; a failed call is retried once within the budget. */
const callMs = 4_000;

/** Rejects if payments, or the webhook that confirms them, are not configured. */
export function requireBilling({ config }: App): void {
  const { secretKey, webhookSecrets } = config.stripe;
  if (secretKey && webhookSecrets.length > 0) return;
  throw new AppError(
    "billing_not_configured",
    "Billing is not configured: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set. An operator sets the tier.",
  );
}

/** Runs work with the Stripe client under a deadline. Failures of Stripe result in a 503. */
export async function withStripe<Result>(
  app: App,
  work: (stripe: Stripe) => Promise<Result>,
): Promise<Result> {
  requireBilling(app);
  const stripe = await connect(app);
  try {
    return await withDeadline(budgetMs, work(stripe), () => unavailable(new Error("Stripe timed out")));
  } catch (error) {
    throw isStripeError(error) ? translate(error) : error;
  }
}

/** Loads the library on first use: it is large, and most installations have no billing. */
async function connect({ config }: App): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  const { protocol, hostname, port } = config.stripe.url;
  return new Stripe(config.stripe.secretKey ?? "", {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port && { port }),
    timeout: callMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

/** True if Stripe reports that the object does not exist or was deleted. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && error.code === "resource_missing";
}

/** Returns the list; empty if its owner does not exist. */
export async function emptyIfMissing<Item>(list: PromiseLike<{ data: Item[] }>): Promise<{ data: Item[] }> {
  try {
    return await list;
  } catch (error) {
    if (isMissing(error)) return { data: [] };
    throw error;
  }
}

type StripeFailure = Error & { type: string; code?: string; statusCode?: number; requestId?: string };

function isStripeError(error: unknown): error is StripeFailure {
  return error instanceof Error && "type" in error && String(error.type).startsWith("Stripe");
}

function translate(error: StripeFailure): AppError {
  if (error.type === "StripeIdempotencyError") {
    return new AppError("conflict", "Another checkout was started at the same time. Try again.", {
      cause: summaryOf(error),
    });
  }
  return unavailable(summaryOf(error));
}

function unavailable(cause: Error): AppError {
  const message = "The payment processor is unavailable. Try again.";
  return new AppError("billing_unavailable", message, { cause, retryAfterSeconds: 10 });
}

/** A summary for the log: the message of Stripe may contain what we sent, including a key. */
function summaryOf({ type, code, statusCode, requestId }: StripeFailure): Error {
  return new Error([type, code, statusCode, requestId].filter(Boolean).join(" "));
}
