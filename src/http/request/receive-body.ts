import type { IncomingMessage } from "node:http";
import { errorCodes, type FastifyRequest } from "fastify";
import type { BodyMemories, BodyMemory } from "./body-memory.ts";

/** A large body is in memory that was lent for it. */
export type ReceivedBody = { bytes: Uint8Array; memory?: BodyMemory };

/** A smaller body is kept in ordinary memory. */
const minLentBytes = 32 * 1024;

/** Receives the bytes of a body up to the limit of its operation. A large body is copied into lent memory as it arrives. */
export function receiveBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  memories: BodyMemories,
): Promise<ReceivedBody> {
  const limit = request.routeOptions.bodyLimit;
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  if (announced > limit) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  const body = new GrowingBody(Number.isNaN(announced) ? limit : announced, memories);
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void) => {
      payload.off("data", onData).off("end", onEnd).off("error", onError);
      settle();
    };
    const fail = (error: Error) => stop(() => reject(error));
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > limit) fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      else body.append(chunk);
    };
    const onEnd = () => stop(() => resolve(body.finish()));
    const onError = (error: Error) => fail(Object.assign(error, { statusCode: 400 }));
    payload.on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

class GrowingBody {
  length = 0;
  #chunks: Buffer[] = [];
  #memory: BodyMemory | undefined;
  #mayLend = true;
  readonly #capacity: number;
  readonly #memories: BodyMemories;

  constructor(capacity: number, memories: BodyMemories) {
    this.#capacity = capacity;
    this.#memories = memories;
  }

  append(chunk: Buffer): void {
    if (this.#memory) this.#memory.bytes.set(chunk, this.length);
    else this.#chunks.push(chunk);
    this.length += chunk.length;
    // Memory is lent for bytes that have arrived, not for those that a client announces.
    if (!this.#memory && this.#mayLend && this.length > minLentBytes) this.#moveToLent();
  }

  #moveToLent(): void {
    this.#memory = this.#memories.lend(this.#capacity);
    this.#mayLend = false;
    if (!this.#memory) return;
    let offset = 0;
    for (const chunk of this.#chunks) {
      this.#memory.bytes.set(chunk, offset);
      offset += chunk.length;
    }
    this.#chunks = [];
  }

  finish(): ReceivedBody {
    const memory = this.#memory;
    return memory
      ? { bytes: memory.bytes.subarray(0, this.length), memory }
      : { bytes: Buffer.concat(this.#chunks, this.length) };
  }
}
