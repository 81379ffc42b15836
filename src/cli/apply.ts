import { applyFile } from "./config-file.ts";

/** All of the document or nothing. */
export function run(args: string[]): Promise<void> {
  return applyFile(args, false);
}
