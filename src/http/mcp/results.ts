import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ErrorCode, Issue } from "../../errors/app-error.ts";
import { errorTexts } from "../../errors/error-texts.ts";
import type { CallReply } from "./call-operation.ts";

/** What an agent can still read at once. */
const maxLength = 256 * 1024;

/** Converts the reply of an operation into the result of a tool. A failure says what to do. */
export function toToolResult(reply: CallReply): CallToolResult {
  if (reply.status >= 400) return failure(problemOf(reply.body));
  if (reply.length > maxLength) {
    const size = `The reply has ${reply.length} bytes; a tool returns at most ${maxLength}.`;
    return failure(`${size} Use filters or a smaller limit, or call the API.`);
  }
  const value = toObject(reply);
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}

/** The content of a result is an object; a list becomes its `items`, with the cursor of the next page. */
function toObject({ body, next, total }: CallReply): Record<string, unknown> {
  if (!Array.isArray(body)) return body as Record<string, unknown>;
  return { items: body, ...(next && { next_cursor: next }), ...(total !== undefined && { total }) };
}

/** Describes an error reply of the API in sentences: what is wrong, and what to do. */
export function problemOf(body: unknown): string {
  const { detail, code } = body as { detail: string | Issue[]; code?: ErrorCode };
  if (typeof detail !== "string") return invalidArguments(detail);
  const remedy = code && errorTexts[code]?.remedy;
  return [detail, remedy && `What to do: ${remedy}`, code && `(${code})`].filter(Boolean).join(" ");
}

function invalidArguments(issues: Issue[]): string {
  const lines = issues.map(({ loc, msg }) => `- ${loc.slice(1).join(".") || "arguments"}: ${msg}`);
  return ["The arguments are invalid. Correct them and call the tool again:", ...lines].join("\n");
}
