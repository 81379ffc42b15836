import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { KeyCaller } from "../../domain/caller.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { rejectOtherMethods } from "../other-methods.ts";
import { authenticate } from "../request/authenticate.ts";
import type { InTurn } from "../request/authentication-queue.ts";
import { readJson } from "../request/json-body.ts";
import { admitKey, countUse, withAdmissionOf } from "../request/key-traffic.ts";
import { rejectForeignOrigin } from "../request/origin.ts";
import { makeCall } from "./call-operation.ts";

const path = "/mcp";
/** As of an ordinary operation; larger documents belong to the API. */
const limits = { bytes: 1024 * 1024, values: 10_000 };

/**
 * Serves the Model Context Protocol over streamable HTTP, for agents with an API key. Tools run operations of the API; this
 * route only authenticates the key, because the list of tools depends on it.
 */
export function serveMcp(server: FastifyInstance, app: App, inTurn: InTurn): void {
  const keys = new WeakMap<FastifyRequest, KeyCaller>();

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    rejectForeignOrigin(app.config, request);
    if (request.headers.authorization === undefined)
      throw new AppError("api_key_missing", "Send an API key in the header: Authorization: Bearer <key>.");
    const key = await inTurn(request, async () => {
      const identity = await authenticate(app, request, { who: "user" });
      if (!identity.key)
        throw new AppError(
          "api_key_missing",
          "Agents need an API key. Send it in the header: Authorization: Bearer <key>.",
        );
      await admitKey(app, identity.key, request, reply);
      return identity.key;
    });
    keys.set(request, key);
  };

  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_: unknown, body: Buffer) =>
      readMessage(body),
    );
    scope.post(path, {
      bodyLimit: limits.bytes,
      config: { operation: "mcp" },
      onRequest,
      onResponse: async (request, reply) => countUse(app, request, reply),
      // onRequest always runs before the handler.
      handler: (request, reply) => answer(server, request, reply, keys.get(request) as KeyCaller),
    });
  });
  // There is nothing to listen to and no session to end.
  rejectOtherMethods(server, "", [{ path, methods: new Set(["POST"]) }]);
}

function readMessage(body: Buffer): unknown {
  const read = readJson(body, limits.values);
  if ("issues" in read) throw new InvalidRequest(read.issues);
  // Each message counts towards the rate limit, so that several in one request would evade it.
  if (Array.isArray(read.value))
    throw new AppError("bad_request", "Send one message per request, without a batch.");
  return read.value;
}

async function answer(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  key: KeyCaller,
): Promise<FastifyReply> {
  // Loaded on first use: most processes never need the protocol.
  const { answerMessage } = await import("./protocol.ts");
  const incoming = { headers: headersOf(request), url: `http://service${path}`, message: request.body };
  const response = await withAdmissionOf(request, () =>
    answerMessage(incoming, key, makeCall(server, request)),
  );
  reply.code(response.status);
  const text = await response.text();
  return text === "" ? reply.send() : reply.type("application/json; charset=utf-8").send(text);
}

/** What the protocol reads: the types of bodies and its own headers, whose names start with `mcp-`. */
function headersOf({ headers }: FastifyRequest): Headers {
  const isRead = (name: string) => name === "accept" || name === "content-type" || name.startsWith("mcp-");
  return new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      isRead(name) && value ? [[name, String(value)]] : [],
    ),
  );
}
