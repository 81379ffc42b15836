import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { SchemaBook } from "../../src/http/openapi/schema-book.ts";
import { type Operation, paramNames } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { insertInboxMessage } from "../../src/store/channels/inbox.ts";
import type { Client, Reply } from "../support/client.ts";
import { harness, type Person } from "../support/harness.ts";
import { addContractWithRule, addDelivery, freshId, recordEvent } from "./contracts/contract-steps.ts";
import { endings, makeRequests, type Params } from "./matrix.ts";
import { makeResources, matrixEnv } from "./matrix-resources.ts";
import { makeKeyClient } from "./orgs/keys.ts";
import { join, teamAdmin } from "./steps.ts";

/** Ids in queries and bodies; test/api/access.test.ts has those in paths. */
const h = await harness({ env: matrixEnv });
const requests = await makeRequests(h);
const { channelOf } = await makeResources(h);
const [admin, other] = [await teamAdmin(h), await teamAdmin(h)];
for (const one of [admin, other]) await h.setTier(one.org_id, "enterprise");

type Step = string | number;
type IdField = { part: "query" | "body"; steps: Step[] };
type Json = Record<string, unknown>;

/** Returns the fields of a schema that have the id of a resource, also within lists and objects. */
function idFields(book: SchemaBook, schema: Json, part: IdField["part"], steps: Step[] = []): IdField[] {
  if (typeof schema.$ref === "string")
    return steps.length > 8 ? [] : idFields(book, refOf(book, schema.$ref), part, steps);
  const name = steps.findLast((step) => typeof step === "string") ?? "";
  // An agent is a label that the caller chooses.
  if (schema.format === "uuid" && name !== "agent_id") return [{ part, steps }];
  const options = ["anyOf", "oneOf", "allOf"].flatMap((key) => (schema[key] ?? []) as Json[]);
  const items = schema.items ? [[0, schema.items] as const] : [];
  const values =
    typeof schema.additionalProperties === "object" ? [["any", schema.additionalProperties] as const] : [];
  const fields = [...Object.entries((schema.properties ?? {}) as Json), ...items, ...values];
  return [
    ...options.flatMap((option) => idFields(book, option, part, steps)),
    ...fields.flatMap(([step, inner]) => idFields(book, inner as Json, part, [...steps, step])),
  ];
}

const refOf = (book: SchemaBook, ref: string) => book.schemas[ref.split("/").at(-1) ?? ""] ?? {};

const found = operations
  .filter(({ policy, id }) => policy.who === "org" && !endings.includes(id))
  .flatMap((operation) =>
    (["query", "body"] as const).flatMap((part) => {
      const shape = operation[part];
      const book = new SchemaBook();
      const fields = shape ? idFields(book, book.add(shape, "input"), part) : [];
      const unique = new Map(fields.map((field) => [field.steps.join("."), field]));
      return [...unique].map(([name, field]) => [operation.id, `${part}.${name}`, operation, field] as const);
    }),
  );

/** The resources of an org that ids can name. */
async function makeIds(person: Person) {
  const about = await addContractWithRule(person);
  const event_id = await recordEvent(h, person.org_id, about);
  const delivery_id = await addDelivery(h, person.org_id, event_id);
  const { channel_id } = await channelOf(person);
  const message_id = freshId();
  await insertInboxMessage(h.app.db, {
    ...{ id: message_id, org_id: person.org_id, delivery_id, channel_id: String(channel_id), kind: "fired" },
    ...{ severity: "info", title: "Private title", message: "Private", received_at: h.clock.now() },
  });
  const user_id = (await join(h, person, "viewer")).user.id;
  return {
    ...{ contract_id: about.contract.id, target_id: about.target.id, rule_id: about.rule.id },
    ...{ event_id, channel_id: String(channel_id), message_id, user_id },
  };
}
type Ids = Awaited<ReturnType<typeof makeIds>>;

const kinds: Record<string, keyof Ids> = {
  ...{ contract_id: "contract_id", contract_scope: "contract_id" },
  ...{ target_id: "target_id", rule_id: "rule_id", event_id: "event_id", event_ids: "event_id" },
  ...{ channel_id: "channel_id", channel_ids: "channel_id", default_channel_id: "channel_id" },
  ...{ channel_map: "channel_id", replace_with: "channel_id" },
  ...{ message_ids: "message_id", user_id: "user_id" },
};
const kindOf = ({ steps }: IdField) =>
  kinds[steps.findLast((step) => typeof step === "string" && step !== "any") ?? ""];

const [own, foreign] = [await makeIds(admin), await makeIds(other)];

/** A copy of a value with another value at a place; what is missing on the way is added. */
function place(value: unknown, [step, ...rest]: Step[], id: string, name = ""): unknown {
  if (step === undefined) return id;
  if (typeof step === "number")
    return [place((Array.isArray(value) ? value[0] : undefined) ?? beside[name], rest, id)];
  const object = (value ?? beside[name] ?? {}) as Json;
  return { ...object, [step]: place(object[step], rest, id, String(step)) };
}

const condition = { operator: "gt", threshold: 1 };
/** What objects need beside the id, by the name of their field. */
const beside: Record<string, Json> = {
  ...{ condition, all: condition, any: condition },
  escalation: { after_seconds: 600 },
  rule: { severity: "info", condition },
};

/** Gives a rule a channel instead of `record_only`, so that it may have another one. */
function withChannel(value: unknown, { steps }: IdField): unknown {
  const body = (value ?? {}) as Json;
  if (body.rule) return { ...body, rule: withChannel(body.rule, { part: "body", steps: steps.slice(1) }) };
  const { record_only: _, ...rest } = body;
  return { channel_ids: [own.channel_id], ...rest };
}

type Sender = Pick<Client, "request">;

async function send(
  { id, method, path }: Operation,
  field: IdField,
  value: string,
  sender: Sender = admin.client,
) {
  const { part, steps } = field;
  const request = requests[id];
  const params: Params = { org_id: admin.org_id, ...(await request?.ids?.(admin)) };
  const url = paramNames(path).reduce((text, name) => text.replace(`{${name}}`, String(params[name])), path);
  const given = typeof request?.body === "function" ? request.body(params) : request?.body;
  const isRecipient = part === "body" && /^(rule\.)?(channel_ids?|escalation)\b/.test(steps.join("."));
  const base = isRecipient && /Rule|Policy/.test(id) ? withChannel(place(given, steps, value), field) : given;
  // Messages are named instead of a time.
  const body = part === "body" ? place(id === "markInboxRead" ? {} : base, steps, value) : given;
  const query = { ...request?.query, ...(part === "query" && { [String(steps[0])]: value }) };
  return sender.request(method, url, body, { query });
}

/** Fields that accept no id at all here: a policy names no targets, and the others need one that fits the resource in the path. */
const needMore = /condition\.(all|any)|^testNewChannel|^applyConfig/;

/** A reply without what differs from request to request. */
const shapeOf = ({ status, text }: Reply) => [
  status,
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"),
];

const before = await rowsOf(other.org_id);

test.each(found)(
  "%s answers for an id of another organisation in %s as for an unknown one",
  async (...row) => {
    const [id, name, operation, field] = row;
    const kind = kindOf(field) as keyof Ids;
    expect([name, kind]).toEqual([name, expect.any(String)]);
    const known = await send(operation, field, own[kind]);
    expect(known.status < 400 || needMore.test(`${id} ${name}`), known.text).toBe(true);
    const [theirs, unknown] = [
      await send(operation, field, foreign[kind]),
      await send(operation, field, freshId()),
    ];
    expect(shapeOf(theirs)).toEqual(shapeOf(unknown));
    for (const secret of [...Object.values({ ...foreign, [kind]: other.org_id }), "Private"])
      expect(theirs.text).not.toContain(secret);
  },
);

const hidden = await makeIds(admin);
await admin.client.post(`/contracts/${hidden.contract_id}/access`, {
  user_id: admin.user.id,
  role: "viewer",
});
const member = await join(h, admin, "member");
await member.client.post(`/orgs/${admin.org_id}/switch`);
const ofContract = found.filter(
  ([, , , field]) => !["channel_id", "user_id"].includes(String(kindOf(field))),
);

const key = await makeKeyClient(h, admin, { contract_scope: [own.contract_id] });
const senders = {
  "a person without access to its contract": member.client,
  "a key for another contract": key,
};

describe.each(Object.entries(senders))("for %s", (_sender, sender) => {
  test.each(ofContract)("%s answers for a hidden id in %s as for an unknown one", async (...row) => {
    const [, , operation, field] = row;
    const kind = kindOf(field) as keyof Ids;
    const theirs = await send(operation, field, hidden[kind], sender);
    expect(shapeOf(theirs)).toEqual(shapeOf(await send(operation, field, freshId(), sender)));
    const { channel_id: _, user_id: __, [kind]: ___, ...secrets } = hidden;
    for (const secret of Object.values(secrets)) expect(theirs.text).not.toContain(secret);
  });
});

test("no request with an id of another organisation changed or stored anything of it", async () => {
  expect(Object.keys(before).length).toBeGreaterThan(20);
  expect(await rowsOf(other.org_id)).toEqual(before);
  const stored = JSON.stringify(await rowsOf(admin.org_id));
  for (const id of Object.values(foreign)) expect(stored).not.toContain(id);
});

/** All rows of an org, by table, without the audit log, which has what was asked for. */
async function rowsOf(org_id: string): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and c.relname not like 'audit%' and c.relname not like '%denial%' order by 1`.execute(h.app.db);
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(name)} t where org_id = ${org_id} order by 1`.execute(
      h.app.db,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
