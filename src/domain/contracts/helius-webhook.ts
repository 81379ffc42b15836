import { z } from "zod";
import { type App, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { sameSecret } from "../../lib/secrets/tokens.ts";
import { textProblem } from "../../lib/text.ts";
import { deleteOldestDeliveries, insertDeliveries } from "../../store/engine/helius-inbox.ts";
import { addressGroup, isWithinLimit } from "../accounts/throttle.ts";
import type { Anyone } from "../caller.ts";

/** The maximum stored size of one item, in bytes. */
const maxStoredBytes = 64 * 1024;
/** Far more than one delivery contains; the reader of the chain finds the rest. */
const maxItems = 1_000;
/** Without a secret anyone can send, so that fewer items count, and only the newest are stored. */
const untrusted = { maxItems: 100, maxStored: 1_000 };

type Delivery = { bytes: Buffer; authorization: string | undefined };

/**
 * Stores announced transactions and replies before they are processed. They are only hints: the reader of the chain finds
 * the same transactions without them, so unreadable items are stored, logged and otherwise ignored.
 */
export async function receiveHeliusDelivery(
  app: App,
  caller: Anyone,
  { bytes, authorization }: Delivery,
): Promise<{ ok: true }> {
  const secret = app.config.heliusWebhookSecret;
  requireSecret(secret, authorization);
  // Deliveries without a secret are also limited per minute, and their payloads are not stored.
  if (!secret && !(await isWithinLimit(app, "hint_address", addressGroup(caller.context.ip))))
    return { ok: true };
  const limit = secret ? maxItems : untrusted.maxItems;
  const { transactions, rest } = parseDelivery(bytes.toString("utf8"), limit);
  const signatures = await insertDeliveries(
    app.db,
    transactions.map(({ signature, slot, text }) => ({
      ...row(app),
      ...{ signature, slot: slot === null ? null : String(slot), status: "waiting" as const },
      payload: secret ? storable(text) : null,
    })),
  );
  if (rest.length > 0) await storeMalformed(app, rest, Boolean(secret));
  if (!secret) await deleteOldestDeliveries(app.db, untrusted.maxStored);
  for (const id of signatures) app.bus.publish({ topic: "solana.hint", id });
  return { ok: true };
}

function requireSecret(secret: string | undefined, authorization = ""): void {
  if (!secret) return;
  const given = authorization.replace(/^Bearer /, "");
  if (sameSecret(given, secret) || sameSecret(authorization, secret)) return;
  throw new AppError("webhook_refused", "The Authorization header does not match HELIUS_WEBHOOK_SECRET.");
}

type Transaction = { signature: string; slot: number | null; text: string };

const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const Slot = z.int().nonnegative().nullable().catch(null);
/** An enhanced transaction, or a raw one, identified by its first signature. */
const AnnouncedTransaction = z.union([
  z.object({ signature: Signature, slot: Slot.optional() }),
  z
    .object({
      transaction: z.object({ signatures: z.tuple([Signature], z.unknown()) }),
      slot: Slot.optional(),
    })
    .transform(({ transaction, slot }) => ({ signature: transaction.signatures[0], slot })),
]);

/** Splits a delivery into transactions and unreadable items. */
function parseDelivery(text: string, limit: number): { transactions: Transaction[]; rest: string[] } {
  const found = new Map<string, Transaction>();
  const rest: string[] = [];
  for (const item of itemsOf(text).slice(0, limit)) {
    const announced = AnnouncedTransaction.safeParse(item).data;
    const itemText = textOf(item) ?? text;
    if (!announced) rest.push(itemText);
    else found.set(announced.signature, { ...announced, slot: announced.slot ?? null, text: itemText });
  }
  return { transactions: [...found.values()], rest };
}

/** Returns the items of a delivery; one undefined item if it is not JSON. */
function itemsOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [undefined];
  }
}

/** Serialises an item; undefined if it is nested too deeply. */
function textOf(item: unknown): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

/** Stores unreadable items, limited per minute so that a flood cannot fill the disk. */
async function storeMalformed(app: App, texts: string[], isTrusted: boolean): Promise<void> {
  if (!(await isWithinLimit(app, "hint_malformed"))) return;
  const [text = ""] = texts;
  app.log.warn({ count: texts.length, bytes: text.length }, "unreadable transaction in webhook delivery");
  const payload = isTrusted ? storable(text) : null;
  await insertDeliveries(app.db, [
    { ...row(app), signature: null, slot: null, status: "malformed", payload },
  ]);
}

function row(app: App) {
  return { id: newId(app), received_at: app.clock.now(), processed_at: null };
}

/** Truncates a text and replaces characters that the database cannot store. */
function storable(text: string): string {
  const cut = Buffer.from(text).subarray(0, maxStoredBytes).toString("utf8");
  return textProblem(cut) ? cut.replaceAll("\u0000", "\uFFFD").toWellFormed() : cut;
}
