import { z } from "zod";
import { type App, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { sameSecret } from "../../lib/secrets/tokens.ts";
import { textProblem } from "../../lib/text.ts";
import { insertDeliveries } from "../../store/engine/helius-inbox.ts";
import { addressGroup, isWithinLimit } from "../accounts/throttle.ts";
import type { Anyone } from "../caller.ts";

/** Of what one transaction, or something that is none, is kept. */
const maxKept = 64 * 1024;
/** Far more than come at once; the chain's reader finds the rest. */
const maxItems = 1_000;

type Delivery = { bytes: Buffer; authorization: string | undefined };

/**
 * Takes transactions that the provider announces, and answers before anything is done about them. They are hints: whoever
 * reads the chain finds the same without them, so that what cannot be read is kept, said and otherwise passed over.
 */
export async function receiveHeliusDelivery(
  app: App,
  caller: Anyone,
  { bytes, authorization }: Delivery,
): Promise<{ ok: true }> {
  const secret = app.config.heliusWebhookSecret;
  requireSecret(secret, authorization);
  // Without a secret anybody can send: few a minute, and nothing of what they wrote is kept.
  if (!secret && !(await isWithinLimit(app, "hint_address", addressGroup(caller.context.ip))))
    return { ok: true };
  const { transactions, rest } = read(bytes.toString("utf8"));
  const signatures = await insertDeliveries(
    app.db,
    transactions.map(({ signature, slot, text }) => ({
      ...row(app),
      ...{ signature, slot: slot === null ? null : String(slot), status: "waiting" as const },
      payload: secret ? storable(text) : null,
    })),
  );
  if (rest.length > 0) await keepMalformed(app, rest, Boolean(secret));
  for (const id of signatures) app.bus.publish({ topic: "solana.hint", id });
  return { ok: true };
}

function requireSecret(secret: string | undefined, authorization = ""): void {
  if (!secret) return;
  const given = authorization.replace(/^Bearer /, "");
  if (sameSecret(given, secret) || sameSecret(authorization, secret)) return;
  throw new AppError("webhook_refused", "The Authorization header is not HELIUS_WEBHOOK_SECRET.");
}

type Transaction = { signature: string; slot: number | null; text: string };

const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const Slot = z.int().nonnegative().nullable().catch(null);
/** An enhanced transaction, or a raw one, of which the first signature is the name. */
const Announced = z.union([
  z.object({ signature: Signature, slot: Slot.optional() }),
  z
    .object({
      transaction: z.object({ signatures: z.tuple([Signature], z.unknown()) }),
      slot: Slot.optional(),
    })
    .transform(({ transaction, slot }) => ({ signature: transaction.signatures[0], slot })),
]);

/** What can be read of a delivery, and what cannot. */
function read(text: string): { transactions: Transaction[]; rest: string[] } {
  const found = new Map<string, Transaction>();
  const rest: string[] = [];
  for (const item of itemsOf(text).slice(0, maxItems)) {
    const announced = Announced.safeParse(item).data;
    const itemText = textOf(item) ?? text;
    if (!announced) rest.push(itemText);
    else found.set(announced.signature, { ...announced, slot: announced.slot ?? null, text: itemText });
  }
  return { transactions: [...found.values()], rest };
}

/** The transactions of a delivery; one thing that is none where it is no JSON. */
function itemsOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [undefined];
  }
}

/** Undefined for what is nested too deep to be written down again. */
function textOf(item: unknown): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

/** A few a minute are enough to see what is wrong; a flood of them must not fill the disk. */
async function keepMalformed(app: App, texts: string[], isVouchedFor: boolean): Promise<void> {
  if (!(await isWithinLimit(app, "hint_malformed"))) return;
  const [text = ""] = texts;
  app.log.warn({ count: texts.length, bytes: text.length }, "an announced transaction could not be read");
  const payload = isVouchedFor ? storable(text) : null;
  await insertDeliveries(app.db, [
    { ...row(app), signature: null, slot: null, status: "malformed", payload },
  ]);
}

function row(app: App) {
  return { id: newId(app), received_at: app.clock.now(), processed_at: null };
}

/** As much of a text as is kept, without what the database cannot hold. */
function storable(text: string): string {
  const cut = Buffer.from(text).subarray(0, maxKept).toString("utf8");
  return textProblem(cut) ? cut.replaceAll("\u0000", "\uFFFD").toWellFormed() : cut;
}
