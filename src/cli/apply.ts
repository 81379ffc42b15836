import { applyFile } from "./config-file.ts";

/** Applies the whole document or nothing. */
export function run(args: string[]): Promise<void> {
  return applyFile(args, false);
}
