import { z } from "zod";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { toIssues } from "../../errors/issues.ts";
import { textProblem } from "../../lib/text.ts";
import { Id, Token } from "../../wire/primitives.ts";
import { type Operation, paramNames } from "../operation.ts";
import { findUnstorable } from "./unstorable-text.ts";

export type Valid = { params: Record<string, string>; query: unknown; body: unknown };

/** Returns a function that validates path, query and body of a request and reports all errors together. */
export function makeValidator(operation: Operation) {
  const parts = {
    path: paramsShape(operation.path),
    query: operation.query ?? z.strictObject({}),
    body: operation.body,
  };
  const numeric = namesOfType(parts.query, ["number", "integer"]);
  const booleans = namesOfType(parts.query, ["boolean"]);

  return (raw: { params: unknown; query: unknown; body: unknown }): Valid => {
    const issues: Issue[] = [];
    const check = (place: string, shape: z.ZodType, value: unknown) => {
      const unstorable = findUnstorable(value, place);
      issues.push(...unstorable);
      const result = shape.safeParse(value);
      if (result.success) return result.data;
      issues.push(...toIssues(result.error, place, value).filter(isNotAmong(unstorable)));
      return undefined;
    };
    const params = check("path", parts.path, raw.params) as Record<string, string>;
    const query = check("query", parts.query, readQuery(raw.query, numeric, booleans));
    const body = parts.body ? check("body", parts.body, raw.body) : rejectBody(raw.body, issues);
    if (issues.length > 0) throw new InvalidRequest(issues);
    return { params, query, body };
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

/** Excludes issues at locations that were already reported as unstorable text. */
function isNotAmong(reported: Issue[]): (issue: Issue) => boolean {
  const places = new Set(reported.map(({ loc }) => JSON.stringify(loc)));
  return ({ loc }) => !places.has(JSON.stringify(loc)) && !textProblem(String(loc.at(-1)));
}
