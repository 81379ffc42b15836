/** A subcommand of `tocsin`. */
export type Command = {
  name: string;
  /** The arguments, as the usage shows them. */
  usage: string;
  summary: string;
  /**
   * Loaded on use: most commands load the whole service, which takes a second that help and typing errors need not
   * wait for.
   */
  load(): Promise<{ run(args: string[]): Promise<void> }>;
};

/** The command line is wrong. The usage is printed with the message. */
export class UsageError extends Error {
  override name = "UsageError";
}
