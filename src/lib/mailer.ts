/** The way out for mail. Sending rejects with a MailError; sending the same id again is recognisable as a repeat. */
export type Mailer = {
  kind: "smtp" | "folder";
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
};

export type Mail = {
  /** Stable across attempts: becomes the Message-ID, or the name of the file. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** A mail that was not sent, and whether trying again later may help. */
export class MailError extends Error {
  override name = "MailError";
  readonly retryable: boolean;

  constructor(message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
  }
}
