import type { Stripe } from "stripe";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { withDeadline } from "../../lib/deadline.ts";

/** Less than a request has in all, so that the answer can say what kept it. */
const budgetMs = 4_300;
/** For one exchange; a failed one is tried once more within the budget. */
const callMs = 4_000;

/** Refuses where nothing can be paid, or where we would not learn that it was. */
export function requireBilling({ config }: App): void {
  const { secretKey, webhookSecrets } = config.stripe;
  if (secretKey && webhookSecrets.length > 0) return;
  throw new AppError(
    "billing_not_configured",
    "Nothing can be bought here: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set. An operator sets the tier.",
  );
}

/** Does something with Stripe's client, in bounded time. Whatever keeps Stripe from answering is a 503. */
export async function withStripe<Result>(
  app: App,
  work: (stripe: Stripe) => Promise<Result>,
): Promise<Result> {
  requireBilling(app);
  const stripe = await connect(app);
  try {
    return await withDeadline(budgetMs, work(stripe), () => unavailable(new Error("Stripe took too long")));
  } catch (error) {
    throw isStripeError(error) ? translate(error) : error;
  }
}

/** Loaded when first needed: it is large, and most installations sell nothing. */
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

/** Whether the processor says that it does not have the thing, or has it no more. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && error.code === "resource_missing";
}

/** A list that is empty when whose it is does not exist. */
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
    return new AppError("conflict", "Another checkout was begun at the same moment. Try again.", {
      cause: summaryOf(error),
    });
  }
  return unavailable(summaryOf(error));
}

function unavailable(cause: Error): AppError {
  const sentence = "The payment processor does not answer as it should. Try again.";
  return new AppError("billing_unavailable", sentence, { cause, retryAfterSeconds: 10 });
}

/** For the log: Stripe's own message and its parts may hold what we sent, a key among it. */
function summaryOf({ type, code, statusCode, requestId }: StripeFailure): Error {
  return new Error([type, code, statusCode, requestId].filter(Boolean).join(" "));
}
