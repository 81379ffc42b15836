/** The two sides of a parent and its child process. */
type Peer = {
  send?(message: unknown, callback?: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
};

/** Answers a request of the other process. */
export type Handlers = Record<string, (content: unknown) => Promise<unknown>>;

/** Requests and notifications between a process and its child. */
export type MessageChannel = {
  /** Asks the other process; undefined if it does not answer in time. */
  request(kind: string, timeoutMs: number): Promise<unknown>;
  /** Resolves when the message was passed on. */
  notify(kind: string, content?: unknown): Promise<void>;
};

type Message = { kind: string; content?: unknown; request?: number; answer?: number };

export function openChannel(peer: Peer, handlers: Handlers): MessageChannel {
  const pending = new Map<number, (content: unknown) => void>();
  let requests = 0;
  // A process that has ended cannot be reached; its end is handled where it is observed.
  const send = (message: Message) =>
    new Promise<void>((resolve) => {
      if (!peer.send?.(message, () => resolve())) resolve();
    });

  peer.on("message", async (raw) => {
    const { kind, content, request, answer } = raw as Message;
    if (answer !== undefined) {
      pending.get(answer)?.(content);
      return;
    }
    const result = await handlers[kind]?.(content);
    if (request !== undefined) await send({ kind, content: result, answer: request });
  });

  return {
    notify: (kind, content) => send({ kind, content }),
    request(kind, timeoutMs) {
      const request = ++requests;
      return new Promise((resolve) => {
        const finish = (content: unknown) => {
          clearTimeout(timer);
          pending.delete(request);
          resolve(content);
        };
        const timer = setTimeout(() => finish(undefined), timeoutMs);
        pending.set(request, finish);
        void send({ kind, request });
      });
    },
  };
}
