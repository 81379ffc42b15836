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
import { keepAccount, syncAccount } from "./billing-account.ts";
import { requireBilling, withStripe } from "./billing-client.ts";

/** The events that tell that a subscription changed; all others are none of our business. */
const telling = new Set([
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

/** Takes an event of the processor. Whatever goes wrong after its signature is a 500, so that it is sent again. */
export async function receiveBillingEvent(
  app: App,
  caller: Anyone,
  raw: { bytes: Buffer; signature: string | string[] | undefined },
): Promise<{ ok: true }> {
  requireBilling(app);
  const { webhookSecrets: secrets } = app.config.stripe;
  if (!isSignedByStripe({ bytes: raw.bytes, header: raw.signature, secrets, now: app.clock.now() })) {
    throw new AppError("invalid_signature", "The signature does not fit the body, or is not of this moment.");
  }
  const event = parseEvent(raw.bytes);
  try {
    await carryOut(app, caller, event);
  } catch (cause) {
    throw new AppError("internal", "The event was not carried out. Send it again.", { cause });
  }
  return { ok: true };
}

async function carryOut(app: App, caller: Anyone, event: BillingEvent): Promise<void> {
  const { id, type } = event;
  if (!telling.has(type) || (await hasEvent(app.db, id))) return;
  refuseOtherMode(app, event);
  const account = await accountOf(app, event);
  if (!account) {
    app.log.warn({ event: id, type }, "an event of a customer that is not ours was passed over");
    return;
  }
  await withStripe(app, (stripe) => syncAccount(app, stripe, account, caller.context, { id, type }));
}

function parseEvent(bytes: Buffer): BillingEvent {
  try {
    return BillingEvent.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw new AppError("bad_request", "The body is not an event.", { cause });
  }
}

/** Play money must not buy a tier, nor real money vanish: the key and the webhook's secret are of different modes. */
function refuseOtherMode({ config }: App, { id, livemode }: BillingEvent): void {
  const [, mode] = /^[a-z]+_(live|test)_/.exec(config.stripe.secretKey ?? "") ?? [];
  if (mode && livemode !== undefined && livemode !== (mode === "live")) {
    throw new Error(`The event ${id} is not of the mode of STRIPE_SECRET_KEY, which is ${mode}.`);
  }
}

const Metadata = z.object({ org_id: Id });
const About = z.object({
  customer: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
  metadata: z.unknown().optional(),
});

/** Whose event it is: by the customer, or by what we wrote on the subscription when we have lost sight of the customer. */
async function accountOf(app: App, { type, data }: BillingEvent): Promise<BillingAccount | undefined> {
  const object = type === "customer.deleted" ? { customer: data.object.id } : data.object;
  const about = About.safeParse(object).data;
  if (!about) return undefined;
  const known = await findAccountUnscoped(app.db, about.customer);
  if (known) return known;
  const org_id = Metadata.safeParse(about.metadata).data?.org_id;
  if (!org_id || !(await findOrg(app.db, org_id)) || (await findAccount(app.db, org_id))) return undefined;
  return keepAccount(app, org_id, about.customer);
}
