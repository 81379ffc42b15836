import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
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

type Message = { headers: Headers; url: string; message: unknown };

/**
 * Answers one message of an agent. Nothing is kept between messages, so that each process can answer each of them. Agents of 2025
 * initialise a connection first; later ones describe themselves in each message.
 */
export async function answerMessage(
  { headers, url, message }: Message,
  caller: KeyCaller,
  call: Call,
): Promise<Response> {
  const request = new Request(url, { method: "POST", headers });
  const makeServer = () => makeProtocolServer(caller, call);
  if (await isLegacyRequest(request, message)) return answerLegacy(request, message, makeServer());
  if (isSubscription(message)) return rejectSubscription(message);
  const handler = createMcpHandler(makeServer, { legacy: "reject", responseMode: "json" });
  try {
    return await handler.fetch(request, { parsedBody: message });
  } finally {
    await handler.close();
  }
}

async function answerLegacy(request: Request, message: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

type Subscription = { id: string | number; method: "subscriptions/listen" };

function isSubscription(message: unknown): message is Subscription {
  return (message as Partial<Subscription> | null)?.method === "subscriptions/listen";
}

/** Tools and resources do not announce changes, and a reply is one document. */
function rejectSubscription({ id }: Subscription): Response {
  const message = "There is nothing to subscribe to. Call search_history again for new events.";
  return Response.json({ jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.MethodNotFound, message } });
}

function makeProtocolServer(caller: KeyCaller, call: Call): Server {
  const server = new Server(
    { name: "tocsin", title: "Tocsin", version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: validator() },
  );
  server.setRequestHandler("tools/list", async () => ({
    tools: [...tools().values()].filter((tool) => isOffered(tool, caller)).map(describe),
  }));
  server.setRequestHandler("tools/call", async ({ params }) =>
    callTool(call, params.name, params.arguments ?? {}),
  );
  server.setRequestHandler("resources/list", async ({ params }) => listResources(call, params?.cursor));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", async ({ params }) => readResource(call, params.uri));
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
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${name}. Use one of: ${names}.`,
    );
  }
  const isPaged = tool.operations.at(-1)?.isPaged;
  const defaults = isPaged ? { limit: defaultLimit } : {};
  return toToolResult(await tool.run(call, { ...defaults, ...args, ...tool.fixed }));
}
