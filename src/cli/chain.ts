import { parseArgs } from "node:util";
import { chainOf } from "../chains/index.ts";
import { loadConfig } from "../config.ts";
import { systemCaller } from "../domain/caller.ts";
import { skipBlocks } from "../domain/contracts/skip-blocks.ts";
import { withApp } from "../main.ts";
import { UsageError } from "./command.ts";

/** Continues a chain after blocks that no node has any more. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { to: { type: "string" } },
  });
  const [verb, key, ...rest] = positionals;
  if (verb !== "skip" || !key || rest.length > 0) throw new UsageError("expected `chain skip` and a chain.");
  const chain = chainOf(key);
  if (!chain) throw new UsageError(`there is no chain ${key}.`);
  const to = values.to !== undefined && /^\d{1,15}$/.test(values.to) ? Number(values.to) : undefined;
  if (to === undefined) throw new UsageError("expected --to with the height of the last block to skip.");
  const skipped = await withApp(loadConfig(), (app) => skipBlocks(app, systemCaller, chain, to));
  console.log(
    `${chain.name} continues after block ${skipped.to}. Blocks ${skipped.from} to ${skipped.to} are not monitored.`,
  );
}
