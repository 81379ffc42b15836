import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import type { AddressPolicy } from "./address-policy.ts";
import type { OutboundReply, OutboundRequest } from "./outbound-message.ts";
import { addressRejection } from "./outbound-url.ts";
import { AddressForbidden } from "./vetted-lookup.ts";

/** The progress of an exchange, for its error. */
export type Progress = { stage: "prepare" | "connect" | "tls" | "sent"; status?: number | undefined };

export type Agents = { "http:": http.Agent; "https:": https.Agent };

/** Sends one request and reads its reply. Rejects with socket errors; `progress` tells the stage. */
export async function exchange(
  url: URL,
  request: OutboundRequest,
  way: { agents: Agents; policy: AddressPolicy; signal: AbortSignal; progress: Progress },
): Promise<Omit<OutboundReply, "latencyMs">> {
  const response = await open(url, request, way);
  const status = response.statusCode ?? 0;
  way.progress.status = status;
  const { body, truncated } = await read(decompressed(response), request.maxBytes ?? 64 * 1024);
  return { status, headers: response.headers, body, truncated };
}

function open(
  url: URL,
  request: OutboundRequest,
  { agents, policy, signal, progress }: Parameters<typeof exchange>[2],
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, body } = request;
    const options = { method, headers: headersOf(request), signal };
    const sending =
      url.protocol === "https:"
        ? https.request(url, { ...options, agent: agents["https:"] })
        : http.request(url, { ...options, agent: agents["http:"] });
    progress.stage = "connect";
    sending.on("socket", (socket) => {
      if (socket.connecting) checkConnection(socket, url, policy, progress);
      else useOpen(socket, url, policy, progress);
    });
    sending.on("response", resolve);
    sending.on("error", reject);
    sending.on("close", () => reject(new Error("The connection closed without an answer.")));
    sending.end(body);
  });
}

// A reused connection is already open.
function useOpen(socket: Socket, url: URL, policy: AddressPolicy, progress: Progress): void {
  const refused = addressRejection(url, socket.remoteAddress ?? "", policy);
  if (refused) socket.destroy(new AddressForbidden(refused));
  else progress.stage = "sent";
}

// Checks the connected address again, in case a literal or another agent bypassed the lookup.
function checkConnection(socket: Socket, url: URL, policy: AddressPolicy, progress: Progress): void {
  socket.prependOnceListener("connect", () => {
    const refused = addressRejection(url, socket.remoteAddress ?? "", policy);
    if (refused) socket.destroy(new AddressForbidden(refused));
    else progress.stage = url.protocol === "https:" ? "tls" : "sent";
  });
  socket.once("secureConnect", () => {
    progress.stage = "sent";
  });
}

/** Framing and transport headers, which a caller cannot set. */
const framing =
  /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/;

function headersOf({ headers = {}, body, compressed }: OutboundRequest): http.OutgoingHttpHeaders {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    "user-agent": "Tocsin",
    ...Object.fromEntries(given.filter(([name]) => !framing.test(name))),
    "accept-encoding": compressed ? "br, gzip" : "identity",
    ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
  };
}

/** The body of a reply; `read` limits its length after decompression, so that a small reply cannot fill the memory. */
function decompressed(response: http.IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"];
  if (encoding !== "gzip" && encoding !== "br") return response;
  const unzipped = encoding === "br" ? createBrotliDecompress() : createGunzip();
  // The reader of the result gets the error.
  pipeline(response, unzipped, () => undefined);
  return unzipped;
}

async function read(response: Readable, maxBytes: number) {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  let truncated = false;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, room));
    truncated = chunk.length > room;
    // Leaving the loop closes the connection without reading the rest.
    if (truncated) break;
    room -= chunk.length;
  }
  return { body: Buffer.concat(chunks), truncated };
}
