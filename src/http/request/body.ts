import type { FastifyInstance, FastifyRequest } from "fastify";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { measureJson } from "../../lib/json/measure-json.ts";
import { makeBodyTurns } from "./body-turns.ts";
import { parseJson, readUtf8 } from "./json-body.ts";
import { isLargeBodyOperation, UnparsedBody } from "./large-body.ts";

/** Deeper than any of our schemas, and shallow enough for recursion. */
const maxDepth = 64;
/** Far more than an ordinary request has: what follows takes time and memory for each value. */
const defaultMaxValues = 10_000;
/** A body with more values is parsed and validated in a worker thread, if its operation accepts large bodies. */
const maxInlineValues = 3_000;

/** Parses JSON bodies. Invalid UTF-8, invalid JSON, excessive nesting and too many values are rejected with 422. */
export function parseJsonBodies(server: FastifyInstance, clock: Clock): void {
  const parseInTurn = makeBodyTurns(clock);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) =>
      body.length === 0 ? undefined : parseInTurn(request, body, () => parseBody(request, body)),
  );
}

function parseBody(request: FastifyRequest, body: Buffer): unknown {
  const { operation, bodyValues = defaultMaxValues } = request.routeOptions.config;
  const { depth, values } = measureJson(body, { depth: maxDepth, values: bodyValues });
  if (depth > maxDepth) throw invalid(`is nested deeper than ${maxDepth} levels`, "json_too_deep");
  if (values > bodyValues)
    throw invalid(`has more than ${bodyValues} values; send less at once`, "json_too_long");
  if (values > maxInlineValues && isLargeBodyOperation(operation)) return new UnparsedBody(body);
  const read = parseJson(readUtf8(body));
  if ("problem" in read) throw invalid(read.problem, "json_invalid");
  return read.value;
}

/** Makes a scope of the server accept any body as raw bytes. */
export function keepRawBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) => body);
  return scope;
}

function invalid(msg: string, type: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body"], msg, type }]);
}
