import type { Config } from "../../config.ts";
import { version } from "../../config.ts";
import { errorStatus } from "../../errors/app-error.ts";
import { runAtOnce, type Steps } from "../../lib/concurrency/steps.ts";
import { Failure, ValidationFailure } from "../../wire/errors.ts";
import { apiPrefix } from "../mount.ts";
import type { Group, Operation } from "../operation.ts";
import { publicGroups } from "../routes/index.ts";
import { parametersOf } from "./parameters.ts";
import { pageHeaders, rateLimitHeaders, responsesOf, sharedHeaders } from "./responses.ts";
import { type JsonSchema, SchemaBook } from "./schema-book.ts";
import { makeWebhooks } from "./webhooks.ts";

/** Builds the OpenAPI 3.1.0 document of the public operations from the entries that the server mounts. */
export function makeDocument(config: Pick<Config, "publicUrl">): Record<string, unknown> {
  return runAtOnce(documentSteps(config));
}

/** The same in steps, because it takes half a second. */
export function* documentSteps(config: Pick<Config, "publicUrl">): Steps<Record<string, unknown>> {
  const book = new SchemaBook();
  book.add(Failure, "output");
  book.add(ValidationFailure, "output");
  const paths = yield* makePaths(book, publicGroups);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tocsin",
      version,
      summary: "Contract monitoring that reaches the right person once.",
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: config.publicUrl?.href.replace(/\/$/, "") ?? "/", description: "This service" }],
    tags: publicGroups.map(({ tag, about }) => ({ name: tag, description: about })),
    externalDocs: { description: "Documentation", url: "/docs" },
    security: [{ cookieSession: [] }],
    paths,
    webhooks: makeWebhooks(book),
    components: {
      securitySchemes,
      headers: { ...sharedHeaders, ...pageHeaders, ...rateLimitHeaders },
      schemas: book.schemas,
    },
  };
}

const introduction = [
  "Tocsin monitors smart contracts for organisations and notifies the right people when something is wrong.",
  "",
  "Errors have `detail` and `code`; a 422 lists all validation errors under `detail`. Every response has the header",
  "`X-Request-Id`. Lists accept `limit` and `cursor`; the header `Link` has the next page. Responses to GET have an `ETag` and are",
  "compressed with brotli or gzip if the client accepts it. Authenticated POST operations accept `Idempotency-Key`. Times are ISO 8601 in UTC with",
  "milliseconds; ids are UUIDs. AI agents use the operations as tools of the Model Context Protocol at `/mcp`, see `/docs/agents`.",
  `Error codes: ${Object.keys(errorStatus)
    .map((code) => `\`${code}\``)
    .join(", ")}.`,
].join("\n");

const securitySchemes = {
  cookieSession: {
    type: "apiKey",
    in: "cookie",
    name: "access_token",
    description:
      "Session of a user, set by log-in. A request other than GET must also have the origin of this service in its " +
      "`Origin` header, as browsers send it.",
  },
  bearerApiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "tocsin_…",
    description: "API key of an organisation. It takes precedence over a cookie.",
  },
};

function* makePaths(book: SchemaBook, groups: Group[]): Steps<Record<string, Record<string, unknown>>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, operations } of groups) {
    for (const operation of operations) {
      const path = apiPrefix + operation.path;
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(book, tag, operation) };
      yield;
    }
  }
  return paths;
}

function describe(book: SchemaBook, tag: string, operation: Operation): Record<string, unknown> {
  const parameters = parametersOf(book, operation);
  return {
    operationId: operation.id,
    tags: [tag],
    summary: operation.summary,
    description: operation.description + (operation.hasLargeReply ? " The response can exceed 1 MiB." : ""),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBodyOf(book, operation, book.add(operation.body, "input")) }),
    responses: responsesOf(book, operation),
  };
}

const csvContent = {
  schema: { type: "string" },
  example:
    "chain,address,label,labels,targets\nethereum,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,USDC,team:treasury,tx_rate",
};

function requestBodyOf(
  book: SchemaBook,
  { hook, acceptsCsv, acceptsYaml }: Operation,
  schema: JsonSchema,
): Record<string, unknown> {
  const type = hook?.takes ?? "application/json";
  const described = { schema, example: book.exampleOf(schema) };
  const content = {
    [type]: described,
    ...(acceptsYaml && { "application/yaml": described }),
    ...(acceptsCsv && { "text/csv": csvContent }),
  };
  return { required: true, content };
}

function securityOf({ policy }: Operation): Record<string, never[]>[] {
  if (policy.who === "anyone" || policy.who === "link") return [];
  const isForKeys = policy.who === "org" && policy.keys;
  return isForKeys ? [{ cookieSession: [] }, { bearerApiKey: [] }] : [{ cookieSession: [] }];
}
