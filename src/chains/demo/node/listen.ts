import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes a server whose requests wait until the chain is open. It needs none of the code of the chain. */
export function makeWaitingServer(opening: Promise<Answer>): Server {
  // If the chain does not open, each request ends; why is for its owner to say.
  opening.catch(() => undefined);
  return createServer((request, response) => {
    opening.then((answer) => answer(request, response)).catch(() => response.destroy());
  });
}

/** Listens on a port of the loopback address. */
export async function listenOn(server: Server, port: number): Promise<void> {
  server.listen({ host: "127.0.0.1", port });
  await once(server, "listening");
}
