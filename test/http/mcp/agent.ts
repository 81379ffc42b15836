import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

/** The result of a tool, as tests read it. */
export type Result = { isError: boolean; text: string; value: Record<string, unknown> };

export type Agent = Awaited<ReturnType<typeof connect>>;

/** Connects the client of the official SDK over HTTP with a key. */
export async function connect(baseUrl: string, key: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    async call(name: string, args: Record<string, unknown> = {}): Promise<Result> {
      const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
      const [content] = result.content;
      return {
        isError: result.isError === true,
        text: content?.type === "text" ? content.text : "",
        value: result.structuredContent ?? {},
      };
    },
    async toolNames(): Promise<string[]> {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
  };
}

/** Sends one message without the SDK, for what its client would not send, and for the headers of the reply. */
export function post(baseUrl: string, key: string | undefined, message: unknown, headers = {}) {
  return fetch(new URL("/mcp", baseUrl), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

export const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };

export const callTool = (name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
