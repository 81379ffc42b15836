import http from "node:http";
import type { ChannelDeps } from "../../src/channels/channel.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { makeAddressPolicy } from "../../src/lib/outbound/address-policy.ts";
import { makeOutbound } from "../../src/lib/outbound/outbound.ts";
import { listen } from "../support/listen.ts";

export type Received = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string };
type Respond = (response: http.ServerResponse, received: Received) => void;

/** Starts a loopback server in place of a provider. It records requests and replies as the test specifies. */
export async function startProvider() {
  const received: Received[] = [];
  let respond: Respond = (response) => response.end("ok");
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    received.push(one);
    respond(response, one);
  });
  const { url, close } = await listen(server);
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["127.0.0.0/8"] }) });
  return {
    url,
    received,
    respondWith(next: Respond) {
      respond = next;
    },
    /** Makes it reply with this status, body and headers. */
    replyWith(status: number, body: string | object = "", headers: Record<string, string> = {}) {
      respond = (response) =>
        response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    },
    deps: (change: Partial<ChannelDeps> = {}): ChannelDeps => ({
      outbound,
      mailer: { kind: "folder", send: async () => undefined, close: async () => undefined },
      clock: { ...systemClock, now: () => new Date("2026-11-15T03:00:10.500Z") },
      urls: { telegram: url, pagerduty: url, opsgenie: { us: `${url}/us`, eu: `${url}/eu` }, twilio: url },
      twilio: { accountSid: "AC0000", authToken: "hunter2-token", from: "+15005550006" },
      hasOptedOut: async () => false,
      unconfirmed: async () => [],
      mayText: async () => true,
      admit: async (_org, _type, admitted) => ({ admitted, undo: async () => undefined }),
      storeInInbox: async () => undefined,
      ...change,
    }),
    async close() {
      outbound.close();
      await close();
    },
  };
}
