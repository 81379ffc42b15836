/** One thing that `tocsin` can do. */
export type Command = {
  name: string;
  /** What follows the name. */
  usage: string;
  summary: string;
  /** Most commands stand on the whole service, which takes a second to load: help and typing errors need not wait. */
  load(): Promise<{ run(args: string[]): Promise<void> }>;
};

/** Thrown for wrong words on the command line; the usage is printed with it. */
export class UsageError extends Error {
  override name = "UsageError";
}
