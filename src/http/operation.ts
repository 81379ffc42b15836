import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { App } from "../app.ts";
import type { Resource } from "../domain/access.ts";
import type { Anyone, MemberCaller, OrgCaller, StaffCaller, UserCaller } from "../domain/caller.ts";
import type { ErrorCode, Issue } from "../errors/app-error.ts";
import type { Page } from "../wire/paging.ts";
import type { Role, Tier } from "../wire/primitives.ts";
import type { Cookies } from "./request/cookies.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} /${string}`;

/** Access policy of an operation. The server does not start if an operation lacks one. */
export type Policy =
  /** Everyone, with or without an account. */
  | { who: "anyone" }
  /** The holder of the token in the path. */
  | { who: "link" }
  /** A user with a session. */
  | { who: "user" }
  /**
   * A member of an org: the org of `org_id` in the path, or the active one. `keys`: API keys of the org may call as
   * well. `resource`: the path names a resource of a contract; the caller must be able to see the contract, and needs
   * write access to it for changes.
   *
   * A key restricted to some contracts or chains may call only if the entry declares what it touches: by `resource`, by
   * `touches`, or by `scope` ("filtered": the reply contains only what is in scope; "unrelated": the operation does not
   * concern contracts). An entry without any of these concerns the whole org and rejects restricted keys.
   */
  | {
      who: "org";
      org: "path" | "active";
      role: Role;
      tier?: Tier;
      /** What an org of a lower tier can do instead, as a sentence. */
      belowTier?: string;
      keys: boolean;
      resource?: Resource;
      scope?: "filtered" | "unrelated";
    }
  /** Platform staff; the public OpenAPI document omits such an operation. */
  | { who: "staff" };

/** The type of caller that a policy admits. */
export type CallerFor<P extends Policy> = P extends { who: "org"; keys: false }
  ? MemberCaller
  : P extends { who: "org" }
    ? OrgCaller
    : P extends { who: "user" }
      ? UserCaller
      : P extends { who: "staff" }
        ? StaffCaller
        : Anyone;

/** `{org_id}` in the route becomes `params.org_id`. */
export type Params<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof Params<Rest>]: string }
  : Record<never, never>;

/** A resource that a request touches in addition to the one in its path. */
export type Touch =
  | { resource: Resource; id: string }
  /** A contract to be created on the chain with this key or id. */
  | { newContractOn: string | number }
  /** The whole org. */
  | "org";

/**
 * Limits on the size of a body, the number of its values and time; by default one mebibyte, 10,000 values and about five
 * seconds.
 */
export type Limits = { bodyBytes?: number; bodyValues?: number; deadlineMs?: number };

/** Of operations with a password, which waits up to 20 seconds for its turn. */
export const passwordLimits: Limits = { deadlineMs: 25_000 };

type Entry<R extends Route, P extends Policy, Query extends z.ZodType, Body extends z.ZodType, Reply> = {
  route: R;
  /** A stable name for generated clients. */
  id: string;
  summary: string;
  description: string;
  policy: P;
  query?: Query;
  body?: Body;
  /** The success status; 200 by default. */
  status?: 200 | 201 | 202 | 204;
  /** The schema of the reply; null if it has no body. */
  reply: z.ZodType<Reply> | null;
  /** The reply contains a secret that is shown once: a replay by Idempotency-Key is rejected instead of showing it again. */
  showsSecret?: true;
  /** Overrides for large or slow requests. */
  limits?: Limits;
  /** A body of the type `text/csv` is accepted too, as the field `csv`. */
  acceptsCsv?: true;
  /** A body in YAML is accepted too. */
  acceptsYaml?: true;
  /** The reply can exceed 1 MiB; the OpenAPI document says so. */
  hasLargeReply?: true;
  /** Returns the resources named in path, query or body, to be checked against the scope of a restricted key. */
  touches?(request: {
    app: App;
    org_id: string;
    params: Params<R>;
    query: z.output<Query>;
    body: z.output<Body>;
  }): Touch[] | Promise<Touch[]>;
  /**
   * Finds what the schema of the body cannot, in the fields that are valid by themselves. It runs if the schema rejects the
   * body, so that all errors are reported together; otherwise the handler finds them.
   */
  findIssues?(request: BodyFields<z.output<Body>>): Promise<Issue[]>;
  /** Error codes in addition to those that the policy and the schemas imply. */
  errors?: ErrorCode[];
  handle(request: {
    app: App;
    caller: CallerFor<P>;
    params: Params<R>;
    query: z.output<Query>;
    body: z.output<Body>;
    cookies: Cookies;
  }): Promise<Reply>;
};

/** Valid fields of an otherwise invalid body. `owner` is whose share of the worker threads is used. */
export type BodyFields<Body> = { app: App; owner: string; fields: Partial<Body> };

/** An unparsed webhook request: its signature covers the raw bytes and the original URL. */
export type RawRequest = { bytes: Buffer; headers: IncomingHttpHeaders; target: string };

/** Request and reply media types of a webhook. */
export type Hook = { takes: string; answers: "application/json" | "text/xml" };

/** The media type and the name of a file. */
export type Download = { type: "text/csv"; name: string };

/** An operation with its type parameters erased, as the server and the OpenAPI document use it. */
export type Operation = {
  method: Method;
  path: string;
  id: string;
  summary: string;
  description: string;
  policy: Policy;
  query: z.ZodObject | undefined;
  body: z.ZodType | undefined;
  status: number;
  reply: z.ZodType | null;
  errors: ErrorCode[];
  showsSecret: boolean;
  acceptsCsv: boolean;
  acceptsYaml: boolean;
  limits: Limits;
  hasLargeReply: boolean;
  /** Returns a `Page`: the reply is its items, and headers have the rest. */
  isPaged: boolean;
  /** Set for an operation that replies with a file, which is sent as it is produced. */
  download: Download | undefined;
  /** Replies with a stream of events. */
  isStream: boolean;
  /** Set for a webhook: called by another service and authenticated by its signature. */
  hook: Hook | undefined;
  touches: ((request: ScopedRequest) => Touch[] | Promise<Touch[]>) | undefined;
  findIssues: ((request: BodyFields<Record<string, unknown>>) => Promise<Issue[]>) | undefined;
  handle(request: {
    app: App;
    caller: unknown;
    params: unknown;
    query: unknown;
    body: unknown;
    cookies: Cookies;
  }): Promise<unknown>;
};

/** A validated request of a key. */
type ScopedRequest = { app: App; org_id: string; params: unknown; query: unknown; body: unknown };

/** A group of operations under one tag of the OpenAPI document. */
export type Group = { tag: string; about: string; operations: Operation[] };

/** Defines one operation: its route, schemas, policy and handler. */
export function operation<
  R extends Route,
  const P extends Policy,
  Reply,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(entry: Entry<R, P, Query, Body, Reply>): Operation {
  const [method, path] = entry.route.split(" ") as [Method, string];
  return {
    ...entry,
    method,
    path,
    // mount passes each handler the caller, params, query and body that the policy and schemas of its entry produced.
    handle: entry.handle as unknown as Operation["handle"],
    touches: entry.touches as Operation["touches"],
    query: entry.query as z.ZodObject | undefined,
    body: entry.body,
    status: entry.status ?? 200,
    errors: entry.errors ?? [],
    showsSecret: entry.showsSecret ?? false,
    acceptsCsv: entry.acceptsCsv ?? false,
    acceptsYaml: entry.acceptsYaml ?? false,
    findIssues: entry.findIssues as Operation["findIssues"],
    limits: entry.limits ?? {},
    hasLargeReply: entry.hasLargeReply ?? false,
    isPaged: false,
    download: undefined,
    isStream: false,
    hook: undefined,
  };
}

/** Defines an operation that lists items by page; the reply is an array, as without pages. */
export function listOperation<
  R extends Route,
  const P extends Policy,
  Item,
  Query extends z.ZodType = z.ZodUndefined,
>(
  entry: Omit<Entry<R, P, Query, z.ZodUndefined, Item[]>, "handle"> & {
    list(request: Parameters<Entry<R, P, Query, z.ZodUndefined, Item[]>["handle"]>[0]): Promise<Page<Item>>;
  },
): Operation {
  const { list, ...rest } = entry;
  // mount unpacks the page.
  const handle = list as unknown as (request: Parameters<typeof list>[0]) => Promise<Item[]>;
  return { ...operation({ ...rest, handle }), isPaged: true };
}

/** Defines an operation that replies with a file, whose parts are produced while it is sent. */
export function downloadOperation<R extends Route, const P extends Policy, Query extends z.ZodType>(
  entry: Omit<Entry<R, P, Query, z.ZodUndefined, string>, "handle" | "reply"> & {
    download: Download;
    produce(
      request: Parameters<Entry<R, P, Query, z.ZodUndefined, string>["handle"]>[0],
    ): Promise<AsyncIterable<string>>;
  },
): Operation {
  const { produce, download, ...rest } = entry;
  // mount sends the parts.
  const handle = produce as unknown as (request: Parameters<typeof produce>[0]) => Promise<string>;
  return { ...operation({ ...rest, reply: z.string(), hasLargeReply: true, handle }), download };
}

/**
 * Defines an operation that another service calls. Nothing is validated before its verb: what arrives is bytes, and who
 * sent them is the first question. `body` is there for the description.
 */
export function hookOperation<R extends Route, Reply>(entry: {
  route: R;
  id: string;
  summary: string;
  description: string;
  hook: Hook;
  body: z.ZodType;
  reply: z.ZodType<Reply>;
  errors: ErrorCode[];
  limits?: Limits;
  receive(request: { app: App; caller: Anyone; raw: RawRequest }): Promise<Reply>;
}): Operation {
  const { hook, receive, ...rest } = entry;
  // mount hands the raw request over in place of a validated body.
  const handle = ({ app, caller, body }: { app: App; caller: Anyone; body: unknown }) =>
    receive({ app, caller, raw: body as RawRequest });
  return { ...operation({ ...rest, policy: { who: "anyone" }, handle }), hook };
}

/** Defines an operation that stays open and sends events as they happen. */
export function streamOperation<
  R extends Route,
  const P extends Extract<Policy, { who: "org" }>,
  Query extends z.ZodType,
>(
  entry: Pick<
    Entry<R, P, Query, z.ZodUndefined, undefined>,
    "route" | "id" | "summary" | "description" | "policy" | "query"
  >,
): Operation {
  const handle = () => Promise.reject(new Error(`${entry.id} is a stream`));
  return { ...operation({ ...entry, reply: null, handle }), isStream: true };
}

/** The names in braces, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
