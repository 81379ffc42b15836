import type { Readable } from "node:stream";
import type pg from "pg";
import { currentOwner } from "../../lib/concurrency/current-owner.ts";
import { nextTurn } from "../../lib/concurrency/turns.ts";

/** The rows of this much are made in a few milliseconds. */
const sliceBytes = 32 * 1024;

/**
 * Receives large results for the current owner in slices, with other work of the process between them: otherwise the driver makes
 * rows for as long as the server sends, up to two megabytes at a time. Returns a function that ends it.
 */
export function paceResults(client: pg.ClientBase): () => void {
  // The declarations of the package leave the connection out.
  const { stream } = (client as unknown as { connection: { stream: Readable } }).connection;
  const owner = currentOwner();
  let receivedBytes = 0;
  const onData = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes < sliceBytes) return;
    receivedBytes = 0;
    stream.pause();
    void nextTurn(owner).then(() => stream.resume());
  };
  stream.on("data", onData);
  return () => void stream.off("data", onData);
}
