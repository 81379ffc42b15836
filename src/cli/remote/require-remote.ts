import { readRemote } from "../../config.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { makeRemoteClient, type RemoteClient } from "./client.ts";

/** Opens the service of TOCSIN_URL, for commands that have no other source. */
export function requireRemote(): RemoteClient {
  const remote = readRemote();
  if (!remote)
    throw new OperatorError("Set TOCSIN_URL to the address of a service and TOCSIN_API_KEY to an API key.");
  return makeRemoteClient(remote);
}
