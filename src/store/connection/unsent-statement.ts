/** A statement that was not sent, because its connection had been lost. Its transaction has changed nothing. */
export class UnsentStatement extends Error {
  override name = "UnsentStatement";
  /** The code of the loss. */
  readonly code: string | undefined;

  constructor(loss: Error & { code?: string }) {
    super(`The connection was lost before the statement: ${loss.message}`, { cause: loss });
    this.code = loss.code;
  }
}
