import { once } from "node:events";
import { createServer } from "node:net";
import { OperatorError } from "../operator-error.ts";

type ListenAddress = { host: string; port: number };

/** Fails if another program uses the port. Checked before anything else runs, so that the failure is the only output. */
export async function requireFreePort({ host, port }: ListenAddress): Promise<void> {
  const probe = createServer();
  try {
    const listening = once(probe, "listening");
    probe.listen({ host, port });
    await listening;
  } catch (error) {
    throw explainListenError(error, { host, port });
  }
  probe.close();
  await once(probe, "close");
}

/** Finds a port of the loopback address that no program uses. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  const listening = once(probe, "listening");
  probe.listen({ host: "127.0.0.1", port: 0 });
  await listening;
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** Returns the error of listening as a sentence for the operator, or as it is if it is unexpected. */
export function explainListenError(error: unknown, { host, port }: ListenAddress): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    const problem = `Port ${port} on ${host} is already in use.`;
    return new OperatorError(`${problem} Stop the program that uses it, or set PORT to another port.`, {
      cause: error,
    });
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new OperatorError(
      `Tocsin cannot listen on HOST ${host}, PORT ${port} (${code}). Set HOST to an address of this machine, such as 127.0.0.1, ` +
        "and PORT to one that you may use, such as 8080.",
    );
  return error;
}
