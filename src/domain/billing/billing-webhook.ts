import { z } from "zod";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { isSignedByStripe } from "../../lib/signatures/stripe-signature.ts";
import {
  type BillingAccount,
  findAccount,
  findAccountUnscoped,
  hasEvent,
} from "../../store/billing/billing.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import { BillingEvent } from "../../wire/billing/billing.ts";
import { Id } from "../../wire/primitives.ts";
import type { Anyone } from "../caller.ts";
import { saveAccount, syncAccount } from "./billing-account.ts";
import { withStripe } from "./billing-client.ts";

/** The events that can change a subscription; all others are ignored. */
const relevantEvents = new Set([
  "checkout.session.completed",
  "customer.deleted",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "invoice.paid",
  "invoice.payment_failed",
]);

/** Processes a billing event. Any failure after the signature check is a 500, so that the processor retries. */
export async function receiveBillingEvent(
  app: App,
  caller: Anyone,
  raw: { bytes: Buffer; signature: string | string[] | undefined },
): Promise<{ ok: true }> {
  const { webhookSecrets: secrets } = app.config.stripe;
  if (!isSignedByStripe({ bytes: raw.bytes, header: raw.signature, secrets, now: app.clock.now() })) {
    throw new AppError("invalid_signature", signatureProblem(secrets));
  }
  const event = parseEvent(raw.bytes);
  try {
    await processEvent(app, caller, event);
  } catch (cause) {
    throw new AppError("internal", "The event could not be processed. Send it again.", { cause });
  }
  return { ok: true };
}

function signatureProblem(secrets: readonly string[]): string {
  return secrets.length > 0
    ? "Signature invalid or timestamp outside tolerance."
    : "No signature can be verified: STRIPE_WEBHOOK_SECRET is not set.";
}

async function processEvent(app: App, caller: Anyone, event: BillingEvent): Promise<void> {
  const { id, type } = event;
  if (!relevantEvents.has(type) || (await hasEvent(app.db, id))) return;
  requireSameMode(app, event);
  const account = await accountOf(app, event);
  if (!account) {
    app.log.warn({ event: id, type }, "ignored billing event of an unknown customer");
    return;
  }
  await withStripe(app, (stripe) => syncAccount(app, stripe, account, caller.context, { id, type }));
}

function parseEvent(bytes: Buffer): BillingEvent {
  try {
    return BillingEvent.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw new AppError("bad_request", "The body is not a valid event.", { cause });
  }
}

/** Rejects an event of the other mode: test payments must not buy a tier, and live payments must not be lost. */
function requireSameMode({ config }: App, { id, livemode }: BillingEvent): void {
  const [, mode] = /^[a-z]+_(live|test)_/.exec(config.stripe.secretKey ?? "") ?? [];
  if (mode && livemode !== undefined && livemode !== (mode === "live")) {
    throw new Error(`The event ${id} has another mode than STRIPE_SECRET_KEY, which is in ${mode} mode.`);
  }
}

const Metadata = z.object({ org_id: Id });
const About = z.object({
  customer: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
  metadata: z.unknown().optional(),
});

/** Finds the account of an event by its customer, or by the org id in the metadata if the customer is unknown. */
async function accountOf(app: App, { type, data }: BillingEvent): Promise<BillingAccount | undefined> {
  const object = type === "customer.deleted" ? { customer: data.object.id } : data.object;
  const about = About.safeParse(object).data;
  if (!about) return undefined;
  const account = await findAccountUnscoped(app.db, about.customer);
  if (account) return account;
  const org_id = Metadata.safeParse(about.metadata).data?.org_id;
  if (!org_id || !(await findOrg(app.db, org_id)) || (await findAccount(app.db, org_id))) return undefined;
  return saveAccount(app, org_id, about.customer);
}
