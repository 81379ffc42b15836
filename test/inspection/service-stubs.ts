import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

/** A service on loopback that answers as it is told, and keeps what it was asked. */
export type StandIn = { url: string; asked: URL[]; answer: (url: URL) => Answer | "hang" };

export async function startStandIn(answer: StandIn["answer"]): Promise<StandIn> {
  const standIn: StandIn = { url: "", asked: [], answer };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://stand-in");
    standIn.asked.push(url);
    const given = standIn.answer(url);
    if (given === "hang") return;
    response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers });
    response.end(typeof given.body === "string" ? given.body : JSON.stringify(given.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}

/** As Sourcify answers for what it does not have, and for what it has. */
export const sourcifyMissing: Answer = {
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
export const sourcifyHas = (abi: readonly unknown[], name: string): Answer => ({
  body: {
    match: "exact_match",
    creationMatch: null,
    runtimeMatch: "exact_match",
    chainId: "31337",
    abi,
    compilation: { name },
  },
});

/** Etherscan's answers are all of status 200. */
export const etherscanError = (result: string): Answer => ({
  body: { status: "0", message: "NOTOK", result },
});
export const etherscanHas = (abi: readonly unknown[], name: string): Answer => ({
  body: {
    status: "1",
    message: "OK",
    result: [{ SourceCode: "", ABI: JSON.stringify(abi), ContractName: name, Proxy: "0" }],
  },
});
