import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { App } from "../app.ts";
import type { Anyone, MemberCaller, OrgCaller, StaffCaller, UserCaller } from "../domain/caller.ts";
import type { ErrorCode } from "../errors/app-error.ts";
import type { Resource } from "../store/viewer.ts";
import type { Role, Tier } from "../wire/primitives.ts";
import type { Cookies } from "./request/cookies.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} /${string}`;

/** Who may call. The server does not start while an operation lacks this. */
export type Policy =
  /** Everybody, with or without an account. */
  | { who: "anyone" }
  /** Whoever holds the token in the path. */
  | { who: "link" }
  /** A person with a session. */
  | { who: "user" }
  /**
   * A member of an org: the one named by `org_id` in the path, or the active one. `keys` says whether an API
   * key of the org may call as well. `resource` is the thing in the path that belongs to a contract: the caller must
   * see that contract, and to change anything must not be let in as a mere viewer.
   *
   * A key restricted to some contracts or chains is let in where the entry says what it touches: by `resource`, by
   * `touches`, or by `scope`: "filtered" when the answer holds only what is in scope, "unrelated" when it has nothing
   * to do with contracts. An entry that says none of these is about the whole org and refuses it.
   */
  | {
      who: "org";
      org: "path" | "active";
      role: Role;
      tier?: Tier;
      keys: boolean;
      resource?: Resource;
      scope?: "filtered" | "unrelated";
    }
  /** Platform staff; such an operation is left out of the public description. */
  | { who: "staff" };

/** The caller that a policy lets through. */
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

/** Something that a request touches besides what its path names. */
export type Touch =
  | { resource: Resource; id: string }
  /** A contract that is to be made, on the chain with this key or id. */
  | { newContractOn: string | number }
  /** Everything in the org. */
  | "org";

/** What a request may be and take; a mebibyte and about five seconds unless said. */
export type Limits = { bodyBytes?: number; deadlineMs?: number };

type Entry<R extends Route, P extends Policy, Query extends z.ZodType, Body extends z.ZodType, Reply> = {
  route: R;
  /** A stable name for generated clients. */
  id: string;
  summary: string;
  description: string;
  policy: P;
  query?: Query;
  body?: Body;
  /** The success status; 200 unless said. */
  status?: 200 | 201 | 202 | 204;
  /** The shape of the answer; null where there is none. */
  reply: z.ZodType<Reply> | null;
  /** Its answer holds a secret that is shown once: a repeat with its Idempotency-Key does nothing, and does not show it again. */
  showsSecret?: true;
  /** For what is larger or slower than usual. */
  limits?: Limits;
  /** What it touches by its query or body, for keys that may not touch everything. */
  touches?(request: { params: Params<R>; query: z.output<Query>; body: z.output<Body> }): Touch[];
  /** What this operation may refuse with besides what its policy and shapes imply. */
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

/** A request as another service sent it: its signature covers the very bytes, and the address as it came. */
export type RawRequest = { bytes: Buffer; headers: IncomingHttpHeaders; target: string };

/** The media types of an operation that another service calls. */
export type Hook = { takes: string; answers: "application/json" | "text/xml" };

/** An operation as the server and the description see it, whatever its types. */
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
  limits: Limits;
  /** Answers with a stream of events instead of one reply. */
  isStream: boolean;
  /** Called by another service, which its signature proves. */
  hook: Hook | undefined;
  touches: ((request: { params: unknown; query: unknown; body: unknown }) => Touch[]) | undefined;
  handle(request: {
    app: App;
    caller: unknown;
    params: unknown;
    query: unknown;
    body: unknown;
    cookies: Cookies;
  }): Promise<unknown>;
};

/** A group of operations under one heading of the description. */
export type Group = { tag: string; about: string; operations: Operation[] };

/** Defines one operation: its route, shapes, who may, and what it does. */
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
    // mount hands each handler exactly the caller, params, query and body that the entry's own shapes produced.
    handle: entry.handle as unknown as Operation["handle"],
    touches: entry.touches as Operation["touches"],
    query: entry.query as z.ZodObject | undefined,
    body: entry.body,
    status: entry.status ?? 200,
    errors: entry.errors ?? [],
    showsSecret: entry.showsSecret ?? false,
    limits: entry.limits ?? {},
    isStream: false,
    hook: undefined,
  };
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
  receive(request: { app: App; caller: Anyone; raw: RawRequest }): Promise<Reply>;
}): Operation {
  const { hook, receive, ...rest } = entry;
  // mount hands the raw request over in place of a validated body.
  const handle = ({ app, caller, body }: { app: App; caller: Anyone; body: unknown }) =>
    receive({ app, caller, raw: body as RawRequest });
  return { ...operation({ ...rest, policy: { who: "anyone" }, handle }), hook };
}

/** Defines an operation that stays open and sends events as they happen. */
export function streamOperation<R extends Route, const P extends Extract<Policy, { who: "org" }>>(
  entry: Pick<
    Entry<R, P, z.ZodUndefined, z.ZodUndefined, undefined>,
    "route" | "id" | "summary" | "description" | "policy"
  >,
): Operation {
  const handle = () => Promise.reject(new Error(`${entry.id} is a stream`));
  return { ...operation({ ...entry, reply: null, handle }), isStream: true };
}

/** The names in braces, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
