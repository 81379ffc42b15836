import { expect, test } from "vitest";
import { completeHints, listHinted } from "../../../src/store/engine/helius-inbox.ts";
import { dump, errorReply } from "../../api/steps.ts";
import { makeDice, oddBodies } from "../../http/junk.ts";
import { type Harness, harness } from "../../support/harness.ts";

const secret = "a shared secret of ours";
const h = await harness({ env: { HELIUS_WEBHOOK_SECRET: secret } });
const open = await harness();
const path = "/webhooks/helius";
const dice = makeDice(7);
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const signature = () => Array.from({ length: 88 }, () => base58[dice.below(58)]).join("");

/** A transaction in Helius' enhanced format. */
const enhanced = (more: object = {}) => ({
  accountData: [
    { account: "CKs1E69a2e9TmH4mKKLrXFF8kD3ZnwKjoEuXa6sz9WqX", nativeBalanceChange: -72938049280 },
  ],
  ...{
    description: "",
    fee: 10000,
    events: {},
    type: "NFT_SALE",
    source: "MAGIC_EDEN",
    timestamp: 1673445241,
  },
  ...{ signature: signature(), slot: 171942732, ...more },
});

function send(one: Harness, payload: unknown, authorization: string | undefined = secret) {
  const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
  const body = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
  return one.anonymous().post(path, body, { headers });
}

const shorten = (body: string | Buffer) => JSON.stringify(body.toString("latin1").slice(0, 30));
const inbox = (one: Harness) =>
  one.app.db.selectFrom("helius_inbox").selectAll().orderBy("received_at").execute();

test("transactions from the Helius webhook are stored, published on the bus as hints and completed", async () => {
  const hints: unknown[] = [];
  h.app.bus.subscribe("solana.hint", (hint) => hints.push(hint));
  const batch = [enhanced(), enhanced({ slot: undefined }), enhanced()];
  expect((await send(h, batch)).body).toEqual({ ok: true });
  expect(hints).toEqual(batch.map((one) => ({ topic: "solana.hint", id: one.signature })));
  const found = await listHinted(h.app.db, 10);
  expect(found.toSorted(bySignature)).toEqual(
    batch.map(({ signature, slot }) => ({ signature, slot: slot ?? null })).toSorted(bySignature),
  );
  const [{ payload } = { payload: "" }] = (await inbox(h)).filter(
    (row) => row.signature === batch[0]?.signature,
  );
  expect(JSON.parse(payload ?? "")).toEqual(batch[0]);

  await completeHints(h.app.db, [batch[0]?.signature ?? ""], h.clock.now());
  expect(await listHinted(h.app.db, 10)).toHaveLength(2);
  await completeHints(
    h.app.db,
    batch.map((one) => one.signature),
    h.clock.now(),
  );
  expect(await listHinted(h.app.db, 10)).toEqual([]);
});

const bySignature = (a: { signature: string }, b: { signature: string }) =>
  a.signature < b.signature ? -1 : 1;

test("a transaction that Helius announces several times, in one batch or concurrently, is stored once", async () => {
  const hints: unknown[] = [];
  const stop = h.app.bus.subscribe("solana.hint", (hint) => hints.push(hint));
  const one = enhanced();
  await Promise.all(Array.from({ length: 8 }, () => send(h, [one, one, { ...one, slot: 1 }])));
  await completeHints(h.app.db, [one.signature], h.clock.now());
  await send(h, one);
  stop();
  expect(hints).toHaveLength(1);
  expect((await inbox(h)).filter((row) => row.signature === one.signature)).toMatchObject([
    { status: "done" },
  ]);
});

test("a raw transaction is stored under its first signature", async () => {
  const first = signature();
  await send(h, [{ slot: 5, meta: { logMessages: [] }, transaction: { signatures: [first, signature()] } }]);
  expect(await listHinted(h.app.db, 10)).toEqual([{ signature: first, slot: 5 }]);
  await completeHints(h.app.db, [first], h.clock.now());
});

test.each([`Bearer ${secret}`, secret])(
  "the Helius webhook accepts the Authorization header %j",
  async (authorization) => {
    expect((await send(h, [], authorization)).status).toBe(200);
  },
);

test.each(["", "x", `${secret} `, `Bearer  ${secret}`, secret.slice(1), secret.toUpperCase(), "Basic YTpi"])(
  "the Helius webhook rejects the Authorization header %j and stores nothing",
  async (authorization) => {
    const before = await dump(h);
    expect(await send(h, [enhanced()], authorization || " ")).toMatchObject(
      errorReply(403, "webhook_refused"),
    );
    expect(await dump(h)).toEqual(before);
  },
);

test("a Helius batch with malformed transactions gets 200; they are logged and do not affect the others", async () => {
  const good = enhanced();
  const bad = { hello: "world\u0000" };
  expect((await send(h, [bad, good, { signature: "too short" }, null])).status).toBe(200);
  expect(await listHinted(h.app.db, 10)).toEqual([{ signature: good.signature, slot: good.slot }]);
  await completeHints(h.app.db, [good.signature], h.clock.now());
  const malformed = (await inbox(h)).filter((row) => row.status === "malformed");
  expect(malformed).toMatchObject([{ signature: null, payload: JSON.stringify(bad) }]);
  expect(h.lines.join()).toContain("unreadable transaction in webhook delivery");
});

test.each<[string, string | Buffer]>([
  ...oddBodies.map((body) => [`the body ${shorten(body)}`, body] as [string, string | Buffer]),
  ["12,000 transactions", JSON.stringify(Array(12_000).fill({ signature: "1".repeat(64) }))],
  [
    "8,000 different transactions",
    JSON.stringify(Array.from({ length: 8_000 }, () => ({ signature: signature() }))),
  ],
])("the Helius webhook answers %s with 200", async (_what, body) => {
  expect((await send(h, body)).status).toBe(200);
});

test("stored webhook payloads are truncated to 64 KiB, and bodies over 1 MiB get 413", async () => {
  h.clock.advance(120);
  const { signature: name, ...rest } = enhanced({ description: "ü".repeat(100_000) });
  await send(h, [{ signature: name, ...rest }]);
  await send(h, "✓".repeat(100_000));
  const kept = (await inbox(h)).slice(-2).map(({ payload }) => Buffer.byteLength(payload ?? ""));
  for (const bytes of kept) {
    expect(bytes).toBeGreaterThan(64 * 1024 - 8);
    expect(bytes).toBeLessThanOrEqual(64 * 1024 + 8);
  }
  expect(await send(h, "a".repeat(1024 * 1024 + 1))).toMatchObject(errorReply(413, "payload_too_large"));
});

test("at most ten malformed Helius bodies per minute are stored", async () => {
  h.clock.advance(120);
  const before = (await inbox(h)).length;
  for (let n = 0; n < 40; n++) expect((await send(h, "nonsense")).status).toBe(200);
  expect((await inbox(h)).length - before).toBe(10);
});

test("without a secret, the Helius webhook accepts unauthenticated hints, stores them without payload and drops those beyond the limit", async () => {
  const client = open.anonymous();
  const post = () => client.post(path, [enhanced()], { headers: { "content-type": "application/json" } });
  for (let n = 0; n < 130; n++) expect((await post()).status).toBe(200);
  const rows = await inbox(open);
  expect(rows).toHaveLength(120);
  expect(new Set(rows.map(({ payload }) => payload))).toEqual(new Set([null]));
});

test("Helius hints are deleted after a week", async () => {
  h.clock.advance(6 * 24 * 60 * 60);
  const fresh = enhanced();
  await send(h, [fresh]);
  h.clock.advance(2 * 24 * 60 * 60);
  await h.runJobs();
  expect(await inbox(h)).toMatchObject([{ signature: fresh.signature }]);
});

test("without a secret a delivery counts 100 items, and only the newest 1,000 are stored", async () => {
  const anyone = await harness();
  const batch = () => Array.from({ length: 150 }, () => enhanced());
  await send(anyone, batch(), "");
  expect(await inbox(anyone)).toHaveLength(100);
  const old = (await inbox(anyone)).map(({ signature }) => signature);
  for (let round = 0; round < 10; round++) {
    anyone.clock.advance(1);
    await send(anyone, batch(), "");
  }
  const kept = (await inbox(anyone)).map(({ signature }) => signature);
  expect(kept).toHaveLength(1_000);
  expect(kept.filter((one) => old.includes(one))).toEqual([]);
});

test.each([
  ["without a secret", () => open, "", 20_000],
  ["with the secret", () => h, secret, 60_000],
])(
  "%s, a Helius delivery with too many values or levels is not parsed, and one within the limit is",
  async (_who, service, authorization, maxValues) => {
    const one = service();
    one.clock.advance(120);
    const malformed = async () => (await inbox(one)).filter(({ status }) => status === "malformed").length;
    const nested = JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`) as unknown;
    const unread = [
      enhanced({ events: Array(maxValues).fill(0) }),
      enhanced({ events: nested }),
      // Commas and brackets in a text are not values.
      enhanced({ description: ",[{".repeat(maxValues) }),
    ];
    const before = await malformed();
    for (const item of unread) expect((await send(one, [item], authorization)).status).toBe(200);
    const stored = (await inbox(one)).map(({ signature }) => signature);
    expect(unread.map(({ signature }) => stored.includes(signature))).toEqual([false, false, true]);
    expect((await malformed()) - before).toBe(2);
  },
);
