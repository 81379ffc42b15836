import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

export type Listening = { port: number; url: string; close(): Promise<void> };

/** Lets a server listen on a free port of the loopback address. */
export async function listen(server: Server | HttpServer): Promise<Listening> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      if (!server.listening) return;
      // Stop accepting first: a connection that arrives in between would keep the server open.
      const closed = once(server, "close");
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}
