import twilio from "twilio";
import { expect, test } from "vitest";
import { isSignedByTwilio, parseForm } from "../../../src/lib/signatures/twilio-signature.ts";
import { hasOptedOut } from "../../../src/store/channels/opt-outs.ts";
import { dump, errorReply } from "../../api/steps.ts";
import { type Dice, makeDice } from "../../http/junk.ts";
import { harness } from "../../support/harness.ts";
import { runSize, seedOf } from "../../support/run-size.ts";

const token = "0123456789abcdef0123456789abcdef";
const publicUrl = "https://tocsin.example/app";
const h = await harness({ env: { TWILIO_AUTH_TOKEN: token, PUBLIC_URL: `${publicUrl}/` } });
const path = "/webhooks/twilio/opt-out";
const address = `${publicUrl}/api/v1${path}`;
const emptyResponse = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

let texts = 0;
let phones = 0;
const freshPhone = () => `+1415555${String(++phones).padStart(4, "0")}`;

type Form = Record<string, string>;

/** Parses a form that is within the limits. */
const fieldsOf = (form: string) => parseForm(Buffer.from(form), 1_000) ?? expect.fail("too many fields");

/** Sends a text as Twilio does, signed by Twilio's package for the public URL. */
function receive(form: Form, { url = address, query = "", signature = "" } = {}) {
  const all: Form = { MessageSid: `SM${++texts}`, To: "+15550001111", AccountSid: "AC1", ...form };
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": signature || twilio.getExpectedTwilioSignature(token, url + query, all),
    host: "10.0.0.7:8080",
    origin: "https://elsewhere.example",
  };
  return h.anonymous().post(path + query, new URLSearchParams(all).toString(), { headers });
}

const isOptedOut = (phone: string) => hasOptedOut(h.app.db, phone);

test.each(["STOP", "stop", " Stop\n", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"])(
  "the text %j opts the sender out",
  async (Body) => {
    const From = freshPhone();
    const reply = await receive({ From, Body });
    expect([reply.status, reply.text, reply.headers["content-type"]]).toEqual([
      200,
      emptyResponse,
      "text/xml; charset=utf-8",
    ]);
    expect(await isOptedOut(From)).toBe(true);
  },
);

test.each(["START", "unstop", "Yes"])("the text %j opts the sender in again", async (Body) => {
  const From = freshPhone();
  await receive({ From, Body: "STOP" });
  expect((await receive({ From, Body })).text).toBe(emptyResponse);
  expect(await isOptedOut(From)).toBe(false);
});

test.each(["HELP", "info"])("the text %j gets a help message", async (Body) => {
  const From = freshPhone();
  const reply = await receive({ From, Body });
  expect(reply.text).toMatch(/^<\?xml .*\?><Response><Message>.*Reply STOP .*<\/Message><\/Response>$/);
  expect(await isOptedOut(From)).toBe(false);
});

test.each(["", "hello", "please STOP", "STOP PLEASE", "do not stop", "ＳＴＯＰ"])(
  "the text %j has no effect",
  async (Body) => {
    const From = freshPhone();
    expect((await receive({ From, Body })).text).toBe(emptyResponse);
    expect(await isOptedOut(From)).toBe(false);
  },
);

test("Twilio's OptOutType takes precedence over the text of a message", async () => {
  const From = freshPhone();
  await receive({ From, Body: "arrêt", OptOutType: "STOP" });
  expect(await isOptedOut(From)).toBe(true);
  await receive({ From, Body: "STOP", OptOutType: "START" });
  expect(await isOptedOut(From)).toBe(false);
});

test.each(["", "whatsapp:+14155550100", "55555", "+0", "Tocsin"])(
  "a STOP from the sender %j changes nothing",
  async (From) => {
    const before = await dump(h);
    expect((await receive({ From, Body: "STOP" })).text).toBe(emptyResponse);
    expect(await dump(h)).toEqual(before);
  },
);

test("a text delivered twice is applied once, even after a later one", async () => {
  const From = freshPhone();
  const stop = { From, Body: "STOP", MessageSid: "SMonce" };
  await Promise.all([receive(stop), receive(stop), receive(stop)]);
  const lines = await h.app.db.selectFrom("audit_log").selectAll().where("subject_id", "=", From).execute();
  expect(lines).toMatchObject([{ action: "sms.opted_out", actor_type: "system", org_id: null }]);
  await receive({ From, Body: "START" });
  await receive(stop);
  expect(await isOptedOut(From)).toBe(false);
  // Message ids are deleted once Twilio no longer retries.
  h.clock.advance(31 * 24 * 60 * 60);
  await h.runJobs();
  expect((await dump(h)).sms_received).toEqual([]);
});

test("the Twilio signature is checked against the public URL with its query", async () => {
  const From = freshPhone();
  for (const url of [`http://10.0.0.7:8080/api/v1${path}`, address.replace("https", "http"), `${address}/`]) {
    expect(await receive({ From, Body: "STOP" }, { url })).toMatchObject(errorReply(403, "webhook_refused"));
  }
  expect((await receive({ From, Body: "STOP" }, { query: "?b=%27+x&a=1&b=2" })).status).toBe(200);
  expect(
    (await receive({ From, Body: "STOP" }, { url: address.replace(".example", ".example:443") })).status,
  ).toBe(200);
});

test("a text without a valid Twilio signature gets 403 and changes nothing", async () => {
  const From = freshPhone();
  const form = { From, Body: "STOP", MessageSid: "SM1" };
  const other = twilio.getExpectedTwilioSignature("f".repeat(32), address, form);
  for (const signature of [" ", "nonsense", other]) {
    expect(await receive(form, { signature })).toMatchObject(errorReply(403, "webhook_refused"));
  }
  const bare = await h.anonymous().post(path, "From=x", { headers: { "content-type": "text/plain" } });
  expect(bare).toMatchObject(errorReply(403, "webhook_refused"));
  expect(await isOptedOut(From)).toBe(false);
});

test("a form with many repeated fields is rejected by the header before it is parsed, and by their number after it", async () => {
  const headers = (signature: string) => ({
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": signature,
  });
  const fields = (count: number) => Array.from({ length: count }, () => "a").join("&");
  const signed = twilio.getExpectedTwilioSignature(token, address, { a: "" });
  const send = (body: string, signature: string) =>
    h.anonymous().post(path, body, { headers: headers(signature) });
  expect((await send(fields(200), signed)).status).toBe(200);
  expect(await send(fields(201), signed)).toMatchObject(errorReply(403, "webhook_refused"));
  expect(await send(fields(30_000), signed)).toMatchObject(errorReply(403, "webhook_refused"));
  expect(await send(fields(30_000), "short")).toMatchObject(errorReply(403, "webhook_refused"));
  expect(await send(fields(40_000), signed)).toMatchObject(errorReply(413, "payload_too_large"));
});

test("a text gets 503 without a Twilio token", async () => {
  const bare = await harness();
  expect(await bare.anonymous().post(path, {})).toMatchObject(errorReply(503, "sms_not_configured"));
});

test("without PUBLIC_URL the Twilio signature is checked against the local address", async () => {
  const local = await harness({ env: { TWILIO_AUTH_TOKEN: token } });
  const form = { From: freshPhone(), Body: "STOP" };
  const url = `http://127.0.0.1:8080/api/v1${path}`;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": twilio.getExpectedTwilioSignature(token, url, form),
  };
  const reply = await local.anonymous().post(path, new URLSearchParams(form).toString(), { headers });
  expect(reply.status).toBe(200);
});

test("Twilio's published signature examples are accepted", () => {
  const params = (form: Form) => fieldsOf(new URLSearchParams(form).toString());
  const call = { CallSid: "CA1234567890ABCDE", Caller: "+12349013030", Digits: "1234" };
  expect(
    isSignedByTwilio({
      url: "https://mycompany.com/myapp.php?foo=1&bar=2",
      params: params({ ...call, From: "+12349013030", To: "+18005551212" }),
      token: "12345",
      signature: "0/KCTR6DLpKmkAf8muzZqo1nDgQ=",
    }),
  ).toBe(true);
  const text = {
    Body: "STOP",
    From: "+15551230000",
    MessageSid: "SM1",
    OptOutType: "STOP",
    To: "+15550001111",
  };
  expect(
    isSignedByTwilio({
      url: "https://api.example.com/api/v1/webhooks/sms/opt-out",
      params: params(text),
      token: "tok",
      signature: "5hPVk1+Zvmw14bC2NzsQDBYoOzA=",
    }),
  ).toBe(true);
});

const seed = seedOf("TWILIO_SEED");

const checked = runSize("TWILIO_REQUESTS", { short: 1_000, long: 100_000 });

test(`the Twilio signature check agrees with Twilio's package on ${checked} random and changed requests (TWILIO_SEED=${seed})`, () => {
  const dice = makeDice(seed);
  const describeFailure = (what: string, n: number, sent: unknown) =>
    `${what}, ${n} of seed ${seed}: ${JSON.stringify(sent)}`;
  for (let n = 0; n < checked; n++) {
    const sent = randomRequest(dice);
    const signature = twilio.getExpectedTwilioSignature(token, sent.url, toObject(sent.form));
    const isAccepted = ({ url, form }: typeof sent, given = signature) =>
      isSignedByTwilio({ url, params: fieldsOf(encode(form, dice)), token, signature: given });
    const oracle = ({ url, form }: typeof sent, given = signature) =>
      twilio.validateRequest(token, given, url, toObject(form));
    if (!isAccepted(sent)) expect.fail(describeFailure("refused", n, sent));
    const changed = change(sent, dice);
    if (isAccepted(changed) !== oracle(changed))
      expect.fail(describeFailure("judged otherwise", n, { sent, changed }));
    const forged = `${signature.slice(0, -2)}${dice.pick(["A", "b", "0"])}=`;
    if (forged !== signature && isAccepted(sent, forged))
      expect.fail(describeFailure("taken though forged", n, sent));
  }
});

type Sent = { url: string; form: [string, string][] };

const names = [
  "Body",
  "From",
  "To",
  "body",
  "Body2",
  "Z",
  "a",
  "é",
  "__proto__x",
  "10",
  "9",
  "A B",
  "x&y",
  "",
];
const values = ["", "STOP", "a+b", "a b", "100%", "ü✓", "it's", "<x>&amp;", "1", "&=", "\u{1f600}", "a\nb"];

function randomRequest(dice: Dice): Sent {
  const host = dice.pick(["tocsin.example", "tocsin.example:8443", "10.0.0.7", "[::1]:8080"]);
  const query = dice.pick(["", "?a=1", "?b=2&a=1", "?x=%27&y=+", "?q=a'b"]);
  const form = Array.from(
    { length: dice.below(8) },
    () => [dice.pick(names), dice.pick(values)] as [string, string],
  );
  return { url: `${dice.pick(["http", "https"])}://${host}/api/v1/x${query}`, form };
}

/** Returns the request with a random change; some changes have no effect. */
function change({ url, form }: Sent, dice: Dice): Sent {
  const at = dice.below(form.length || 1);
  const ways: (() => Sent)[] = [
    () => ({ url, form: form.toSpliced(at, 1) }),
    () => ({ url, form: [...form, [dice.pick(names), dice.pick(values)]] }),
    () => ({ url, form: form.with(at, [form[at]?.[0] ?? "", dice.pick(values)]) }),
    () => ({ url, form: form.toReversed() }),
    () => ({ url: `${url}z`, form }),
    () => ({ url: url.replace(/^http:/, "https:"), form }),
  ];
  return form.length === 0 ? { url: `${url}z`, form } : dice.pick(ways)();
}

/** The form as an object; a repeated name has several values. */
function toObject(form: [string, string][]): Record<string, string | string[]> {
  const grouped = Map.groupBy(form, ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, pairs]) => [
      name,
      pairs.length > 1 ? pairs.map(([, value]) => value) : (pairs[0]?.[1] ?? ""),
    ]),
  );
}

/** Encodes a form, with spaces as `+` or `%20`. */
function encode(form: [string, string][], dice: Dice): string {
  const text = new URLSearchParams(form).toString();
  return dice.chance(0.5) ? text.replaceAll("+", "%20") : text;
}
