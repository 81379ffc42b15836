import { z } from "zod";
import type { App } from "../../app.ts";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { Id, Token } from "../../wire/primitives.ts";
import { type Operation, paramNames } from "../operation.ts";
import { checkPart } from "./check-part.ts";
import { UnparsedBody, validateLargeBody } from "./large-body.ts";

export type Valid = { params: Record<string, string>; query: unknown; body: unknown };

/** Returns a function that validates path, query and body of a request for a caller and reports all errors together. */
export function makeValidator(operation: Operation) {
  // Prepared on first use, because all of them together would slow the start noticeably.
  let prepared: ReturnType<typeof prepareShapes> | undefined;

  return async (
    app: App,
    owner: string,
    raw: { params: unknown; query: unknown; body?: unknown },
  ): Promise<Valid> => {
    prepared ??= prepareShapes(operation);
    const { parts, numeric, booleans } = prepared;
    const issues: Issue[] = [];
    const collect = (checked: { data: unknown } | { issues: Issue[] }) => {
      if ("data" in checked) return checked.data;
      issues.push(...checked.issues);
      return undefined;
    };
    const params = collect(checkPart("path", parts.path, raw.params)) as Record<string, string>;
    const query = collect(checkPart("query", parts.query, readQuery(raw.query, numeric, booleans)));
    const check = async (shape: z.ZodType) =>
      raw.body instanceof UnparsedBody
        ? validateLargeBody(app, shape, owner, raw.body)
        : checkPart("body", shape, raw.body);
    const checked = parts.body && (await check(parts.body));
    const body = checked ? collect(checked) : rejectBody(raw.body, issues);
    if (checked && "issues" in checked) issues.push(...(await findMore(app, owner, operation, raw.body)));
    if (issues.length > 0) throw new InvalidRequest(issues);
    return { params, query, body };
  };
}

/** Finds further errors in the valid fields of an invalid body. A large body is not worth parsing again. */
async function findMore(
  app: App,
  owner: string,
  { body: shape, findIssues }: Operation,
  body: unknown,
): Promise<Issue[]> {
  const isObject = typeof body === "object" && body !== null && !(body instanceof UnparsedBody);
  if (!findIssues || !isObject || !(shape instanceof z.ZodObject)) return [];
  const values = body as Record<string, unknown>;
  const fields = Object.entries(shape.shape).flatMap(([name, part]) => {
    const read = (part as z.ZodType).safeParse(values[name]);
    return read.success && read.data !== undefined ? [[name, read.data]] : [];
  });
  return findIssues({ app, owner, fields: Object.fromEntries(fields) });
}

function prepareShapes(operation: Operation) {
  const parts = {
    path: paramsShape(operation.path),
    query: operation.query ?? z.strictObject({}),
    body: operation.body,
  };
  return {
    parts,
    numeric: namesOfType(parts.query, ["number", "integer"]),
    booleans: namesOfType(parts.query, ["boolean"]),
  };
}

/** `id` and names that end in `_id` are UUIDs, `token` is a mailed token, everything else a short string. */
export function paramsShape(path: string): z.ZodObject {
  const shapeOf = (name: string) => {
    if (name === "id" || name.endsWith("_id")) return Id;
    if (name === "token") return Token;
    return z.string().min(1).max(100);
  };
  return z.object(Object.fromEntries(paramNames(path).map((name) => [name, shapeOf(name)])));
}

/** Converts integers and booleans in canonical notation; all other query values remain strings. */
function readQuery(query: unknown, numeric: Set<string>, booleans: Set<string>): unknown {
  const read = (name: string, value: unknown) => {
    if (numeric.has(name) && typeof value === "string" && /^-?(0|[1-9]\d{0,15})$/.test(value))
      return Number(value);
    if (booleans.has(name) && (value === "true" || value === "false")) return value === "true";
    return value;
  };
  return Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, read(name, value)]));
}

function namesOfType(shape: z.ZodObject, types: string[]): Set<string> {
  const { properties = {} } = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
  const isOne = (schema: unknown) =>
    typeof schema === "object" && schema !== null && "type" in schema && types.includes(String(schema.type));
  return new Set(Object.keys(properties).filter((name) => isOne(properties[name])));
}

/** Rejects a body for an operation without one, except an empty object, which some clients send. */
function rejectBody(body: unknown, issues: Issue[]): undefined {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const isEmpty = body === undefined || (isObject && Object.keys(body).length === 0);
  if (!isEmpty) issues.push({ loc: ["body"], msg: "this operation has no body", type: "extra_forbidden" });
}
