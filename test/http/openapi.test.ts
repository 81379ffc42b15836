import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type FastifyInstance, fastify } from "fastify";
import { describe, expect, onTestFinished, test } from "vitest";
import { dashboardPaths } from "../../src/http/dashboard.ts";
import { mainPaths } from "../../src/http/docs/index.ts";
import { apiPrefix, mount } from "../../src/http/mount.ts";
import type { Operation } from "../../src/http/operation.ts";
import { makeAuthenticationQueue } from "../../src/http/request/authentication-queue.ts";
import { administration } from "../../src/http/routes/accounts/admin.ts";
import { operations, publicGroups } from "../../src/http/routes/index.ts";
import { makeHub } from "../../src/http/stream/hub.ts";
import { harness } from "../support/harness.ts";
import { longTest } from "../support/run-size.ts";

/** The specified public operations: method, path and success status. */
const specified = `
  GET    /status                            200
  POST   /auth/signup                       200
  POST   /auth/login                        200
  POST   /auth/logout                       200
  GET    /auth/me                           200
  PATCH  /auth/me/theme                     200
  GET    /auth/verify-email                 200
  POST   /auth/resend-verification          200
  POST   /auth/forgot-password              200
  POST   /auth/reset-password               200
  GET    /signup-approvals/{token}          200
  POST   /signup-approvals/{token}/approve  200
  GET    /orgs                              200
  POST   /orgs                              201
  GET    /orgs/{org_id}                     200
  PATCH  /orgs/{org_id}                     200
  POST   /orgs/{org_id}/switch              204
  GET    /orgs/{org_id}/members             200
  PATCH  /orgs/{org_id}/members/{user_id}   200
  DELETE /orgs/{org_id}/members/{user_id}   204
  POST   /orgs/{org_id}/invites             201
  GET    /orgs/{org_id}/invites             200
  DELETE /orgs/{org_id}/invites/{invite_id} 204
  GET    /orgs/{org_id}/settings            200
  PATCH  /orgs/{org_id}/settings            200
  GET    /invites/{token}                   200
  POST   /invites/{token}/accept            204
  GET    /api-keys                          200
  POST   /api-keys                          200
  DELETE /api-keys/{key_id}                 200
  POST   /api-keys/{key_id}/regenerate      200
  GET    /api-keys/usage/summary            200
  GET    /api-keys/{key_id}/usage           200
  POST   /billing/checkout                  200
  POST   /billing/portal                    200
  GET    /billing/invoices                  200
  GET    /billing/subscription              200
  POST   /billing/webhook                   200
  POST   /webhooks/helius                   200
  POST   /webhooks/twilio/opt-out           200
  GET    /chains                            200
  GET    /contracts                         200
  POST   /contracts                         200
  POST   /contracts/bulk-import             200
  POST   /contracts/import-from-defender    200
  POST   /contracts/inspect                 200
  GET    /contracts/{contract_id}/analysis  200
  GET    /contracts/{contract_id}/proxy-state 200
  GET    /contracts/{contract_id}/bridge-config 200
  GET    /contracts/{contract_id}           200
  PATCH  /contracts/{contract_id}           200
  DELETE /contracts/{contract_id}           200
  GET    /contracts/{contract_id}/live-metrics 200
  GET    /contracts/{contract_id}/access    200
  POST   /contracts/{contract_id}/access    201
  DELETE /contracts/{contract_id}/access/{user_id} 200
  GET    /contracts/{contract_id}/labels    200
  POST   /contracts/{contract_id}/labels    201
  PUT    /contracts/{contract_id}/labels    200
  DELETE /contracts/{contract_id}/labels/{label_id} 200
  GET    /contracts/{contract_id}/targets   200
  POST   /contracts/{contract_id}/targets   201
  PATCH  /targets/{target_id}               200
  GET    /contracts/{contract_id}/alert-templates 200
  POST   /contracts/{contract_id}/alert-templates/apply 200
  GET    /wallet-discoveries/_chains        200
  GET    /wallet-discoveries                200
  POST   /wallet-discoveries                202
  GET    /wallet-discoveries/{id} 200
  POST   /wallet-discoveries/{id}/import 200
  GET    /analytics/activity                200
  GET    /analytics/oracle-feeds            200
  GET    /analytics/oracle-feeds/{contract_id}/prices 200
  GET    /analytics/anomalies               200
  GET    /dashboard/stats                   200
  GET    /dashboard/stream                  200
  POST   /alerts                            200
  GET    /alerts                            200
  GET    /alerts/{rule_id}                  200
  PATCH  /alerts/{rule_id}                  200
  DELETE /alerts/{rule_id}                  200
  GET    /alerts/history                    200
  GET    /alerts/{rule_id}/history          200
  GET    /alerts/events/{event_id}          200
  GET    /channels                          200
  POST   /channels                          200
  PATCH  /channels/{channel_id}             200
  DELETE /channels/{channel_id}             200
  POST   /channels/{channel_id}/test        200
`;

/** The public operations beyond the specification. */
const extras = `
  GET    /analytics/noisy-rules             200
  PATCH  /auth/me                           200
  POST   /auth/change-password              200
  GET    /auth/sessions                     200
  DELETE /auth/sessions                     200
  DELETE /auth/sessions/{session_id}        200
  POST   /auth/delete-account               200
  POST   /orgs/{org_id}/leave               204
  DELETE /orgs/{org_id}                     204
  POST   /contracts/{contract_id}/pause     200
  POST   /contracts/{contract_id}/resume    200
  GET    /targets/{target_id}               200
  DELETE /targets/{target_id}               200
  GET    /target-types                      200
  GET    /targets/{target_id}/series        200
  GET    /channel-types                     200
  POST   /alerts/backtest                   200
  POST   /alerts/preview                    200
  POST   /alerts/events/{event_id}/acknowledge 200
  POST   /alerts/events/acknowledge         200
  POST   /alerts/{rule_id}/test             201
  GET    /alerts/history.csv                200
  GET    /api-keys/{key_id}                 200
  PATCH  /api-keys/{key_id}                 200
  GET    /channels/{channel_id}             200
  POST   /channels/test                     200
  DELETE /wallet-discoveries/{id} 200
  GET    /deliveries                        200
  POST   /deliveries/{delivery_id}/replay   200
  GET    /channel-recipients/{token} 200
  POST   /channel-recipients/{token}/confirm 200
  GET    /inbox                             200
  POST   /inbox/read                        200
  GET    /demo                              200
  GET    /demo/incidents                    200
  POST   /demo                              200
  DELETE /demo                              200
  GET    /sms-numbers                       200
  POST   /sms-numbers                       200
  POST   /sms-numbers/{number_id}/confirm   200
  DELETE /sms-numbers/{number_id}           200
  GET    /policies                          200
  POST   /policies                          201
  GET    /policies/{policy_id}              200
  PATCH  /policies/{policy_id}              200
  DELETE /policies/{policy_id}              200
  GET    /silences                          200
  POST   /silences                          201
  GET    /silences/{silence_id}             200
  PATCH  /silences/{silence_id}             200
  DELETE /silences/{silence_id}             200
  GET    /audit-log                         200
  GET    /config                            200
  POST   /config/apply                      200
`;

/** Two specified paths that look ambiguous. A rule id is never `events`, so the router distinguishes them. */
const ambiguous =
  "Paths should resolve unambiguously. Found two ambiguous paths: " +
  "`/api/v1/alerts/{rule_id}/history` and `/api/v1/alerts/events/{event_id}`.";

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = { description: string; headers: object; content?: Record<string, Media> };
type Described = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; description: string; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  info: { version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: object;
  components: { schemas: Record<string, object>; securitySchemes: object };
};

const h = await harness();
const named = await harness({ env: { PUBLIC_URL: "https://tocsin.example/" } });
const reply = await h.anonymous().get("//openapi.json");
const document = reply.body as Document;
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({
    name: `${method.toUpperCase()} ${path.slice(apiPrefix.length)}`,
    entry,
  })),
);
const each = described.map(({ name, entry }) => [name, entry] as const);

test("the OpenAPI document has version 3.1.0 and describes API version 0.4.0", () => {
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect([document.openapi, document.info.version]).toEqual(["3.1.0", "0.4.0"]);
});

longTest(
  "Redocly's recommended rules report only the known ambiguous paths",
  {
    timeout: 180_000,
  },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "tocsin-openapi-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "openapi.json"), reply.text);
    const program = join(
      dirname(fileURLToPath(import.meta.resolve("@redocly/cli/package.json"))),
      "bin/cli.js",
    );
    const args = [program, "lint", "openapi.json", "--extends", "recommended", "--format", "json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: folder,
      timeout: 170_000,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        REDOCLY_TELEMETRY: "off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      },
    }).catch((failure: { stdout: string }) => failure);
    const { problems } = JSON.parse(stdout) as { problems: { message: string }[] };
    expect(problems.map(({ message }) => message)).toEqual([ambiguous]);
  },
);

test("the documented operations and their statuses are the specified ones and the known extras", () => {
  const rows = (table: string) =>
    table
      .trim()
      .split("\n")
      .map((row) => row.trim().replace(/\s+/g, " "));
  const found = described.map(({ name, entry }) => `${name} ${Object.keys(entry.responses)[0]}`);
  expect(found.sort()).toEqual([...rows(specified), ...rows(extras)].sort());
});

test("the server's routes are the documented operations, the staff operations and a few pages", () => {
  const toUrl = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
  const staff = administration.operations.map((operation) => toUrl(apiPrefix + operation.path));
  const reference = ["/docs/api/:group", "/docs/api/schemas/:name", "/assets/docs.css", "/assets/docs.js"];
  const docs = [
    ...reference,
    "/docs/errors/:code",
    "/llms.txt",
    ...mainPaths.flatMap((path) => [path, `${path}.md`]),
  ];
  const pages = [...dashboardPaths, ...docs, "/healthz"];
  const own = [...pages, "/mcp", "/metrics", "/openapi.json", "/readyz", "/redoc"];
  const expected = new Set([...Object.keys(document.paths).map(toUrl), ...staff, ...own]);
  // The printed tree joins wildcards to the folder before them; the dashboard is the only one that has any.
  const isWildcard = (path: string) => path.includes("*");
  const found = routesOf(h.server);
  expect(found.filter((path) => !isWildcard(path)).sort()).toEqual(
    [...expected].filter((path) => !isWildcard(path)).sort(),
  );
  expect(found.filter(isWildcard)).toHaveLength(dashboardPaths.filter(isWildcard).length);
});

test("only staff operations are undocumented", () => {
  const hidden = operations.filter(
    (operation) => !described.some(({ entry }) => entry.operationId === operation.id),
  );
  expect(hidden).toEqual(administration.operations);
});

test("the OpenAPI document reveals nothing about staff operations", () => {
  expect(Object.keys(document.paths).filter((path) => path.includes("admin"))).toEqual([]);
  expect(document.tags.map((tag) => tag.name)).not.toContain(administration.tag);
  for (const { id, path } of administration.operations) {
    expect(reply.text).not.toContain(`"${id}"`);
    expect(reply.text).not.toContain(path.split("{")[0]);
  }
  expect(Object.keys(document.components.schemas).filter((name) => /admin|staff/i.test(name))).toEqual([]);
});

test("operation ids and tags are unique, and every tag has a description", () => {
  const ids = described.map(({ entry }) => entry.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
  expect(document.tags).toEqual(publicGroups.map(({ tag, about }) => ({ name: tag, description: about })));
  for (const { description } of document.tags) expect(description).toMatch(/\.$/);
});

const codesIn = ({ responses }: Described, status: number) =>
  Object.keys(responses[status]?.content?.["application/json"]?.examples ?? {});

describe.each(each)("%s", (_, entry) => {
  test("has a summary, a description, one tag and its security", () => {
    expect(entry.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(entry.description).toMatch(/\.$/);
    expect(document.tags.map((tag) => tag.name)).toContain(entry.tags[0]);
    expect(entry.tags).toHaveLength(1);
    for (const scheme of entry.security.flatMap((one) => Object.keys(one)))
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    expect(entry.responses).toHaveProperty(entry.security.length > 0 ? "401" : "422");
  });

  test("lists its error statuses, and every response has X-Request-Id", () => {
    expect(Object.keys(entry.responses)).toEqual(expect.arrayContaining(["422", "503"]));
    // By design only for the payment webhook, so that the processor sends the event again.
    const isBillingHook = entry.operationId === "receiveBillingEvent";
    expect(Object.hasOwn(entry.responses, "500")).toBe(isBillingHook);
    for (const response of Object.values(entry.responses))
      expect(response.headers).toHaveProperty("X-Request-Id");
    expect(entry.responses["503"]?.headers).toHaveProperty("Retry-After");
    expect(codesIn(entry, 503)).toContain("unavailable");
  });

  test("lists `org_busy` if it uses what organisations share: worker threads for a JSON body, or connections for an org", () => {
    const { policy, hook, body } = operations.find(({ id }) => id === entry.operationId) as Operation;
    const isShared = policy.who === "org" || (body !== undefined && !hook);
    expect(codesIn(entry, 429).includes("org_busy")).toBe(isShared);
    const limits = { "Retry-After": {}, RateLimit: {}, "RateLimit-Policy": {} };
    if (isShared) expect(entry.responses["429"]?.headers).toMatchObject(limits);
  });

  test("has examples of its request and responses that match their schemas", () => {
    const media = [entry.requestBody, ...Object.values(entry.responses)].flatMap((one) =>
      Object.values(one?.content ?? {}),
    );
    for (const { schema, example, examples } of media) {
      const values = examples ? Object.values(examples).map((one) => one.value) : [example];
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expectValid(schema, value);
    }
    for (const { in: location, name, schema, description, example } of entry.parameters ?? []) {
      expect([location, name, description]).toEqual([location, name, expect.stringMatching(/\.$/)]);
      if (example !== undefined) expectValid(schema, example);
    }
  });
});

test("webhooks are documented with the media types of the sending service", () => {
  const typesOf = (path: string) => {
    const entry = document.paths[apiPrefix + path]?.post;
    return [entry?.requestBody, entry?.responses["200"]].map((one) => Object.keys(one?.content ?? {}));
  };
  expect(typesOf("/webhooks/twilio/opt-out")).toEqual([["application/x-www-form-urlencoded"], ["text/xml"]]);
  expect(typesOf("/billing/webhook")).toEqual([["application/json"], ["application/json"]]);
});

test("the first documented status of every operation is a success", () => {
  for (const { name, entry } of described) {
    const success = Number(Object.keys(entry.responses)[0]);
    expect([name, success >= 200 && success < 300]).toEqual([name, true]);
  }
});

test("every schema of the OpenAPI document is used", () => {
  const unused = Object.keys(document.components.schemas).filter(
    (name) => !reply.text.includes(`"#/components/schemas/${name}"`),
  );
  expect(unused).toEqual([]);
});

test("the examples in schemas are valid, also those of the webhook that the service sends", {
  timeout: 120_000,
}, () => {
  const { alert } = document.webhooks as { alert: { post: Described } };
  for (const { schema, example } of Object.values(alert.post.requestBody?.content ?? {}))
    expectValid(schema, example);
  const checked = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { examples, ...schema } = value as { examples?: unknown };
    const text = JSON.stringify(value);
    if (Array.isArray(examples) && !checked.has(text)) {
      checked.add(text);
      for (const example of examples) expectValid(schema, example);
    }
    // Below `examples`, `default` and `mapping` there are values, not schemas.
    for (const [name, part] of Object.entries(schema))
      if (!["default", "const", "enum", "mapping"].includes(name)) visit(part);
  };
  visit(document.components.schemas);
  expect(checked.size).toBeGreaterThan(100);
});

test("mounting an operation without a policy throws", async () => {
  const hub = makeHub(h.app);
  onTestFinished(() => hub.close());
  const { policy: _, ...rest } = operations.find((operation) => operation.id === "signUp") as Operation;
  const parts = { app: h.app, hub, inTurn: makeAuthenticationQueue(h.app) };
  expect(() => mount(fastify(), parts, [rest as Operation])).toThrow("The operation signUp has no policy.");
});

test("the OpenAPI document names the public URL as its server", async () => {
  const { body } = await named.anonymous().get("//openapi.json");
  expect(body).toMatchObject({ servers: [{ url: "https://tocsin.example" }] });
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
// ajv-formats is CommonJS: its default export is the module itself.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
// OpenAPI defines `discriminator`; the constants in the schemas say the same.
ajv.addVocabulary(["components", "discriminator"]);
// References point into one document, so that each component is compiled once.
const withAbsoluteRefs = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/')) as object;
ajv.addSchema(withAbsoluteRefs({ components: { schemas: document.components.schemas } }), "openapi.json");

/** Compiled schemas by their text: all operations have the same errors. */
const compiled = new Map<string, ReturnType<Ajv2020["compile"]>>();

function expectValid(schema: object, value: unknown): void {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile(withAbsoluteRefs(schema));
  compiled.set(text, validate);
  validate(value);
  expect([value, validate.errors]).toEqual([value, null]);
}

/** The route paths of a server, parsed from the tree that it prints. */
function routesOf(server: FastifyInstance): string[] {
  const branch: string[] = [];
  return server
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent, part = "", methods] = /^(.*?)[├└]── (\S*)( \(.+\))?/.exec(line) ?? [];
      if (indent === undefined) return [];
      branch.splice(indent.length / 4, branch.length, part);
      const path = branch.join("");
      return methods && path !== "*" ? [path] : [];
    });
}
