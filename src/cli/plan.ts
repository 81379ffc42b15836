import { applyFile } from "./config-file.ts";

/** Changes nothing. */
export function run(args: string[]): Promise<void> {
  return applyFile(args, true);
}
