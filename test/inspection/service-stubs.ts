import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll } from "vitest";
import { listen } from "../support/listen.ts";

type StubReply = { status?: number; body: unknown; headers?: Record<string, string> };

/** A stub of an external service on loopback that replies with `respond` and records its requests. */
export type ServiceStub = { url: string; requests: URL[]; respond: (url: URL) => StubReply | "hang" };

export async function startServiceStub(respond: ServiceStub["respond"]): Promise<ServiceStub> {
  const stub: ServiceStub = { url: "", requests: [], respond };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://stub");
    stub.requests.push(url);
    const reply = stub.respond(url);
    if (reply === "hang") return;
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  const { url, close } = await listen(server);
  afterAll(close);
  stub.url = url;
  return stub;
}

/** Replies of Sourcify for an unverified and for a verified contract. */
export const sourcifyNotFound: StubReply = {
  status: 404,
  body: {
    match: null,
    creationMatch: null,
    runtimeMatch: null,
    chainId: "31337",
    address: "0x",
    verifiedAt: null,
  },
};
export const sourcifyFound = (abi: readonly unknown[], name: string): StubReply => ({
  body: {
    match: "exact_match",
    creationMatch: null,
    runtimeMatch: "exact_match",
    chainId: "31337",
    abi,
    compilation: { name },
  },
});

/** Replies of Etherscan, which all have status 200. */
export const etherscanError = (result: string): StubReply => ({
  body: { status: "0", message: "NOTOK", result },
});
export const etherscanFound = (abi: readonly unknown[], name: string): StubReply => ({
  body: {
    status: "1",
    message: "OK",
    result: [{ SourceCode: "", ABI: JSON.stringify(abi), ContractName: name, Proxy: "0" }],
  },
});
