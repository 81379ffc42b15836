import { applyFile } from "./config-file.ts";

/** Prints what `apply` would change. */
export function run(args: string[]): Promise<void> {
  return applyFile(args, true);
}
