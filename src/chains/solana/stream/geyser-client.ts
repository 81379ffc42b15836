import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { StreamServer } from "../../family.ts";
import { Geyser, type SubscribeRequestSchema, type SubscribeUpdate } from "./geyser-protocol.ts";

export type GeyserRequest = MessageInitShape<typeof SubscribeRequestSchema>;

export type GeyserClient = {
  /** Sends requests and returns the updates until the connection ends. Throws when it fails. */
  subscribe(requests: AsyncIterable<GeyserRequest>, signal: AbortSignal): AsyncIterable<SubscribeUpdate>;
  close(): void;
};

const maxMessageBytes = 16 * 1024 * 1024;

/** Opens a client of a Yellowstone gRPC server, which connects when it subscribes. */
export function openGeyserClient({ url, token }: StreamServer): GeyserClient {
  const sessionManager = new Http2SessionManager(url);
  const client = createClient(
    Geyser,
    createGrpcTransport({ baseUrl: url, readMaxBytes: maxMessageBytes, sessionManager }),
  );
  return {
    subscribe: (requests, signal) =>
      client.subscribe(requests, { signal, ...(token && { headers: { "x-token": token } }) }),
    close: () => sessionManager.abort(),
  };
}

/** What a server answers that cannot replay the slots since the last connection. */
const replayRefusals: readonly Code[] = [Code.InvalidArgument, Code.OutOfRange, Code.Internal, Code.NotFound];

export function describeFailure(error: unknown): { reason: string; mayRefuseReplay: boolean } {
  const { code, rawMessage } = ConnectError.from(error);
  return { reason: rawMessage, mayRefuseReplay: replayRefusals.includes(code) };
}
