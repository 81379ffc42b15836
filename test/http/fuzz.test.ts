import { expect, test } from "vitest";
import { type JsonSchema, SchemaBook } from "../../src/http/openapi/schema-book.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { FakeStripe } from "../api/billing/stripe.ts";
import { addContractWithRule, recordEvent } from "../api/contracts/contract-steps.ts";
import { Client } from "../support/client.ts";
import { harness, type Person } from "../support/harness.ts";
import { runSize, seedOf } from "../support/run-size.ts";
import { type Dice, makeDice, oddBodies, oddHeaders, oddTexts, oddTypes, oddValues } from "./junk.ts";

const inputs = runSize("FUZZ_INPUTS", { short: 1, long: 2_000 });
const seed = seedOf("FUZZ_SEED");
/** Slower replies are printed; a busy machine may be the reason. */
const slowMs = 2_000;

const stripe = await FakeStripe.start();
const h = await harness({ env: { ...stripe.env, TWILIO_AUTH_TOKEN: "0123456789abcdef" } });
const staff = await h.staff();

async function makePerson() {
  const person = await h.personOn("team");
  return { person, known: await knownValues(person) };
}

const reading = makePerson();

/** A request with one to three errors. */
type Request = { url: string; body: unknown; headers: Record<string, string> };

// A stream stays open, and its only input is a header, which is tested in test/http/stream.
test.concurrent.each(
  operations
    .filter((operation) => !operation.isStream)
    .map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)(
  `%s answers ${inputs} malformed requests without a server error (FUZZ_SEED=${seed})`,
  { timeout: 180_000 + inputs * 300 },
  async (_, operation) => {
    const dice = makeDice(seed ^ hashOf(operation.id));
    // Reads do not disturb each other, so they share a person.
    const { person, known } = await (operation.method === "GET" ? reading : makePerson());
    const nextRequest = makeRequests(operation, dice, known);
    for (let n = 0; n < inputs; n++) {
      const request = nextRequest(person.org_id);
      const client = clientFor(operation, dice, person.client);
      await send(operation, n, client, request);
    }
  },
);

async function send(operation: Operation, n: number, client: Client, request: Request): Promise<void> {
  const description = `input ${n} of seed ${seed}: ${operation.method} ${describeRequest(request)}`;
  const since = performance.now();
  // The client rejects a reply that does not have the documented shape.
  const attempt = () =>
    client
      .request(operation.method, request.url, request.body, { headers: request.headers })
      .catch((error: Error) => expect.fail(`${description}\n${error.message}`));
  let reply = await attempt();
  // A busy machine may be too slow for a password or a large body; the reply then says to try again.
  for (let tries = 1; reply.status === 503 && tries < 30; tries++) reply = await attempt();
  if (reply.status >= 500) expect.fail(`${description}\nwas answered with ${reply.status} ${reply.text}`);
  const tookMs = Math.round(performance.now() - since);
  if (tookMs > slowMs) process.stdout.write(`slow, ${tookMs} ms: ${description}\n`);
}

/** A user, staff or anonymous client with a new IP address, because rate limits would hide other errors. */
function clientFor(operation: Operation, dice: Dice, person: Client): Client {
  const client = new Client(h.server);
  const from = operation.path.startsWith("/admin") ? staff : person;
  // Logging out would make the later requests anonymous.
  if (dice.chance(0.8) && operation.id !== "logOut")
    for (const [name, value] of from.cookies) client.cookies.set(name, value);
  return client;
}

type Known = Record<string, string>;

/** Ids that exist, so that requests rarely fail for an unknown id only. */
async function knownValues(person: Person): Promise<Known> {
  const other = await h.person();
  const about = await addContractWithRule(person);
  const { body } = await person.client.post(`/contracts/${about.contract.id}/labels`, { value: "treasury" });
  return {
    user_id: other.user.id,
    chain: "ethereum",
    token: "not-a-token",
    other_org_id: other.org_id,
    contract_id: about.contract.id,
    label_id: (body as { id: string }).id,
    target_id: about.target.id,
    rule_id: about.rule.id,
    event_id: await recordEvent(h, person.org_id, about),
  };
}

function makeRequests(operation: Operation, dice: Dice, known: Known): (org_id: string) => Request {
  const example = exampleOf(operation);
  const ways = waysToBreak(operation, dice);
  return (org_id) => {
    let request = validRequest(operation, example, { ...known, org_id });
    // A valid body would hash a password, which is slow, so the body is never valid.
    if (operation.body && /password|login|signup/.test(operation.path))
      request.body = breakValue(request.body, dice);
    for (let left = 1 + dice.below(3); left > 0; left--)
      request = { ...request, ...dice.pick(ways)(request) };
    return request;
  };
}

/** The ways to break a request; repeated entries are chosen more often. */
function waysToBreak(operation: Operation, dice: Dice): ((request: Request) => Partial<Request>)[] {
  const names = Object.keys(operation.query?.shape ?? {});
  const body = ({ body }: Request) => ({ body: breakValue(body, dice) });
  const query = ({ url }: Request) => ({ url: url + breakQuery(url, names, dice) });
  return [
    ...(operation.body ? [body, body, body, body] : [body]),
    () => ({ body: dice.pick(oddBodies) }),
    ({ headers }) => ({ headers: { ...headers, "content-type": dice.pick(oddTypes) } }),
    ({ headers }) => ({ headers: { ...headers, ...dice.pick(oddHeaders) } }),
    ({ url }) => ({ url: breakPath(url, dice) }),
    query,
    query,
  ];
}

function validRequest(operation: Operation, example: unknown, known: Known): Request {
  const fill = (_: string, name: string) => known[name] ?? "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42";
  return {
    url: operation.path.replace(/\{(\w+)\}/g, fill),
    body: withKnown(structuredClone(example), known),
    headers: { "content-type": "application/json" },
  };
}

/** Replaces the ids of an example by ids that exist. */
function withKnown(example: unknown, known: Known): unknown {
  if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
  const ids = Object.keys(example).filter((name) => name.endsWith("_id") && known[name]);
  const linkless = "channel_id" in example ? { channel_id: null, channel_ids: [] } : {};
  return { ...example, ...Object.fromEntries(ids.map((name) => [name, known[name]])), ...linkless };
}

function exampleOf({ body }: Operation): unknown {
  if (!body) return undefined;
  const book = new SchemaBook();
  const schema: JsonSchema = book.add(body, "input");
  return book.exampleOf(schema);
}

/** Removes, replaces or adds a field at a random depth, or replaces the whole document. */
function breakValue(value: unknown, dice: Dice): unknown {
  const isDocument = typeof value === "object" && value !== null && !Buffer.isBuffer(value);
  if (!isDocument || dice.chance(0.1)) return dice.pick(oddValues);
  const fields = Object.keys(value);
  const name = fields.length > 0 && dice.chance(0.8) ? dice.pick(fields) : dice.pick(oddTexts);
  const rest = Object.entries(value).filter(([field]) => field !== name);
  if (dice.chance(0.2)) return Object.fromEntries(rest);
  const old = Object.hasOwn(value, name) ? (Reflect.get(value, name) as unknown) : undefined;
  // Built from entries, so that `__proto__` becomes an own field as in a parsed document.
  return Object.fromEntries([...rest, [name, breakValue(old, dice)]]);
}

function breakPath(url: string, dice: Dice): string {
  const [path = "", ...query] = url.split("?");
  const parts = path.split("/");
  const odd = dice.pick(oddTexts).slice(0, 3_000);
  const at = 2 + dice.below(Math.max(1, parts.length - 2));
  parts[at] = dice.chance(0.2) ? dice.pick(["%zz", "%C0%AF", "%ED%A0%80", "", "%2e%2e", "%2f"]) : encode(odd);
  return [parts.join("/"), ...query].join("?");
}

function breakQuery(url: string, names: string[], dice: Dice): string {
  const odd = (limit: number) => dice.pick(oddTexts).slice(0, limit);
  const name = names.length > 0 && dice.chance(0.8) ? dice.pick(names) : odd(200);
  const value = dice.chance(0.1) ? dice.pick(["%zz", "%C0%AF", "%"]) : encode(odd(2_000));
  return `${url.includes("?") ? "&" : "?"}${encode(name)}${dice.chance(0.9) ? "=" : ""}${value}`;
}

/** Percent-encodes a text; a lone surrogate becomes its invalid UTF-8 bytes. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

function describeRequest({ url, body, headers }: Request): string {
  const text = Buffer.isBuffer(body) ? body.toString("hex") : JSON.stringify(body);
  return `${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${text?.slice(0, 500)}`;
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 7);
}
