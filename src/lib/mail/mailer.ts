/** The way out for mail. Sending rejects with a MailError; sending the same id again is recognisable as a repeat. */
export type Mailer = {
  kind: "smtp" | "folder";
  /** Resolves when at least one recipient is taken, with the addresses that were not, if there were any. */
  send(mail: Mail): Promise<string[] | undefined>;
  close(): Promise<void>;
};

export type Mail = {
  /** Stable across attempts: becomes the Message-ID, or the name of the file. */
  id: string;
  to: string;
  /** Further recipients of the same mail. */
  also?: readonly string[];
  /** What it is about: mails with the same id here are shown as one conversation. */
  thread?: string;
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
