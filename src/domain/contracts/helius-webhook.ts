import { z } from "zod";
import { type App, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { measureJson } from "../../lib/json/measure-json.ts";
import { sameSecret } from "../../lib/secrets/tokens.ts";
import { textProblem } from "../../lib/text.ts";
import { deleteOldestDeliveries, insertDeliveries } from "../../store/engine/helius-inbox.ts";
import { addressGroup, isWithinLimit } from "../accounts/throttle.ts";
import type { Anyone } from "../caller.ts";

/** The maximum stored size of one item, in bytes. */
const maxStoredBytes = 64 * 1024;
/** How much of a delivery counts, and how many JSON values are parsed. */
type Limits = { maxItems: number; maxValues: number };
/** Far more than one delivery contains; the reader of the chain finds the rest. */
const trusted: Limits = { maxItems: 1_000, maxValues: 60_000 };
/** Without a secret anyone can send, so that less of it counts, and only the newest are stored. */
const untrusted = { maxItems: 100, maxValues: 20_000, maxStored: 1_000 };
/** As in other requests: deeper than any transaction. */
const maxDepth = 64;

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
  const { transactions, rest } = parseDelivery(bytes, secret ? trusted : untrusted);
  const signatures = await insertDeliveries(
    app.db,
    transactions.map(({ signature, slot, item }) => ({
      ...row(app),
      ...{ signature, slot: slot === null ? null : String(slot), status: "waiting" as const },
      payload: secret ? payloadOf(item, bytes) : null,
    })),
  );
  if (rest.length > 0) await storeMalformed(app, rest, secret ? bytes : undefined);
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

type Transaction = { signature: string; slot: number | null; item: unknown };

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
function parseDelivery(
  bytes: Buffer,
  { maxItems, maxValues }: Limits,
): { transactions: Transaction[]; rest: unknown[] } {
  const transactions = new Map<string, Transaction>();
  const rest: unknown[] = [];
  for (const item of itemsOf(bytes, maxValues).slice(0, maxItems)) {
    const announced = AnnouncedTransaction.safeParse(item).data;
    if (!announced) rest.push(item);
    else transactions.set(announced.signature, { ...announced, slot: announced.slot ?? null, item });
  }
  return { transactions: [...transactions.values()], rest };
}

/** Returns the items of a delivery; one undefined item if it is not JSON, or has more values than are parsed. */
function itemsOf(bytes: Buffer, maxValues: number): unknown[] {
  const { depth, values } = measureJson(bytes, { depth: maxDepth, values: maxValues });
  if (values > maxValues || depth > maxDepth) return [undefined];
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return Array.isArray(value) ? value : [value];
  } catch {
    return [undefined];
  }
}

/** The stored text of an item; of the whole delivery if it could not be parsed. */
function payloadOf(item: unknown, bytes: Buffer): string {
  return storable(item === undefined ? bytes : Buffer.from(JSON.stringify(item)));
}

/** Stores unreadable items, limited per minute so that a flood cannot fill the disk; the contents only of a trusted delivery. */
async function storeMalformed(app: App, items: unknown[], bytes: Buffer | undefined): Promise<void> {
  if (!(await isWithinLimit(app, "hint_malformed"))) return;
  app.log.warn({ count: items.length }, "unreadable transaction in webhook delivery");
  const payload = bytes ? payloadOf(items[0], bytes) : null;
  await insertDeliveries(app.db, [
    { ...row(app), signature: null, slot: null, status: "malformed", payload },
  ]);
}

function row(app: App) {
  return { id: newId(app), received_at: app.clock.now(), processed_at: null };
}

/** Truncates a text and replaces characters that the database cannot store. */
function storable(bytes: Buffer): string {
  const cut = bytes.subarray(0, maxStoredBytes).toString("utf8");
  return textProblem(cut) ? cut.replaceAll("\u0000", "\uFFFD").toWellFormed() : cut;
}
