import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { version } from "../../config.ts";
import type { KeyCaller } from "../../domain/caller.ts";
import { onFirstUse } from "../../lib/caching/on-first-use.ts";
import { isOpenToKey } from "../request/key-scope.ts";
import type { Arguments, Call } from "./call-operation.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { toToolResult } from "./results.ts";
import { inputSchemaOf } from "./tool-schema.ts";
import { type Tool, tools } from "./tools.ts";

const instructions =
  "Tocsin monitors smart contracts and notifies people. A contract has targets (what is measured); a rule is a condition on a target. " +
  "Read `list_target_types` before you create a target. Lists return `next_cursor` if there is more. Changes affect who is notified: " +
  "show people what you are about to change.";

/** Would be created for each request otherwise; no tool uses it. */
const validator = onFirstUse(() => new AjvJsonSchemaValidator());

/** Items of a list, unless the agent asks for another number. */
const defaultLimit = 50;

/**
 * Answers one message of an agent. Nothing is kept between messages, so that each process can answer each of them.
 */
export async function answerMessage(
  request: { headers: Headers; url: string; message: unknown },
  caller: KeyCaller,
  call: Call,
): Promise<Response> {
  const server = makeProtocolServer(caller, call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const { headers, url, message } = request;
    return await transport.handleRequest(new Request(url, { method: "POST", headers }), {
      parsedBody: message,
    });
  } finally {
    await server.close();
  }
}

function makeProtocolServer(caller: KeyCaller, call: Call): Server {
  const server = new Server(
    { name: "tocsin", title: "Tocsin", version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: validator() },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...tools().values()].filter((tool) => isOffered(tool, caller)).map(describe),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
    callTool(call, params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) =>
    listResources(call, params?.cursor),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => readResource(call, params.uri));
  return server;
}

/** A key is offered the tools all of whose operations it may call. The operations decide again when they are called. */
function isOffered({ operations }: Tool, caller: KeyCaller): boolean {
  return operations.every((operation) => isOpenToKey(caller, operation));
}

function describe(tool: Tool) {
  const { name, title, description, operations } = tool;
  const last = operations.at(-1);
  const annotations = {
    title,
    readOnlyHint: operations.every(({ method }) => method === "GET"),
    destructiveHint: last?.method === "DELETE" || name === "apply_configuration",
    openWorldHint: false,
  };
  return { name, title, description, inputSchema: inputSchemaOf(tool), annotations };
}

async function callTool(call: Call, name: string, args: Arguments): Promise<CallToolResult> {
  const tool = tools().get(name);
  if (!tool) {
    const names = [...tools().keys()].join(", ");
    throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}. Use one of: ${names}.`);
  }
  const isPaged = tool.operations.at(-1)?.isPaged;
  const defaults = isPaged ? { limit: defaultLimit } : {};
  return toToolResult(await tool.run(call, { ...defaults, ...args, ...tool.fixed }));
}
