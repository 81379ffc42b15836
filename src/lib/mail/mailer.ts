/** Sends mail, or rejects with a MailError. The same id makes a repeat recognisable. */
export type Mailer = {
  kind: "smtp" | "folder";
  /** Resolves when at least one recipient was accepted, with the rejected addresses. */
  send(mail: Mail): Promise<string[] | undefined>;
  close(): Promise<void>;
};

export type Mail = {
  /** The same for every attempt: the Message-ID or the file name. */
  id: string;
  to: string;
  /** Further recipients of the same mail. */
  additionalRecipients?: readonly string[];
  /** Mails with the same thread id are shown as one conversation. */
  thread?: string;
  subject: string;
  text: string;
  html: string;
};

/** A mail was not sent. `isPermanent` tells whether a retry is useless. */
export class MailError extends Error {
  override name = "MailError";
  readonly retryable: boolean;

  constructor(message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
  }
}
