import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { measureJson } from "../../lib/json/measure-json.ts";
import { BodyMemories } from "./body-memory.ts";
import { readJson } from "./json-body.ts";
import { UnparsedBody } from "./large-body.ts";
import { type ReceivedBody, receiveBody } from "./receive-body.ts";

/** Far more than an ordinary request has: what follows takes time and memory for each value. */
const defaultMaxValues = 10_000;
/** A body with more bytes or values is parsed and validated in a worker thread: it would delay the requests of others. */
const maxInline = { bytes: 32 * 1024, values: 500 };

/**
 * Parses JSON bodies, and CSV and YAML where an operation accepts them. Invalid UTF-8, invalid JSON, excessive nesting and too
 * many values are rejected with 422.
 */
export function parseBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const memories = new BodyMemories();
  server.addContentTypeParser(
    "application/json",
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await receiveBody(request, payload, memories);
      return body.bytes.length === 0 ? undefined : parseBody(request, body);
    },
  );
  server.addContentTypeParser(
    "text/csv",
    { parseAs: "buffer" },
    async ({ routeOptions }: FastifyRequest, body: Buffer) => {
      if (!routeOptions.config.acceptsCsv)
        throw new AppError("unsupported_media_type", "This operation does not accept CSV. Send JSON.");
      return { csv: body.toString("utf8") };
    },
  );
  server.addContentTypeParser(
    ["application/yaml", "application/x-yaml", "text/yaml"],
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { acceptsYaml, bodyValues = defaultMaxValues } = request.routeOptions.config;
      if (!acceptsYaml)
        throw new AppError("unsupported_media_type", "This operation does not accept YAML. Send JSON.");
      // The time that YAML takes does not follow from its size, so that it is always parsed in a worker thread.
      return new UnparsedBody(await receiveBody(request, payload, memories), bodyValues, "yaml");
    },
  );
}

function parseBody(request: FastifyRequest, body: ReceivedBody): unknown {
  const { bodyValues = defaultMaxValues } = request.routeOptions.config;
  if (!isSmall(body.bytes)) return new UnparsedBody(body, bodyValues, "json");
  const read = readJson(body.bytes, bodyValues);
  if ("issues" in read) throw new InvalidRequest(read.issues);
  return read.value;
}

function isSmall(body: Uint8Array): boolean {
  if (body.length > maxInline.bytes) return false;
  return measureJson(body, { depth: body.length, values: maxInline.values }).values <= maxInline.values;
}

/** Makes a scope of the server accept any body as raw bytes. */
export function keepRawBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) => body);
  return scope;
}
