import { workerTask } from "../../../lib/concurrency/worker-pool.ts";
import type { Read, ReadResult } from "../../block.ts";
import { unpackAccount } from "../accounts/account-state.ts";
import { idlAddressOf, idlIn } from "../accounts/program-account.ts";
import { parseIdl } from "./idl.ts";
import { metadataAddressOf, metadataIn } from "./program-metadata.ts";

/** The outcome of the search for an IDL in one source. */
export type IdlSource = {
  source: "program_metadata" | "anchor_idl_account";
  status: "found" | "not_found" | "invalid" | "skipped";
  detail: string | null;
};

export type OnChainIdl = {
  /** The IDL as stored on chain, if it is valid. */
  idl: Record<string, unknown> | undefined;
  sources: IdlSource[];
};

/** The maximum size of an account with an IDL. */
const maxBytes = 1024 * 1024;

/** The reads whose results `findIdl` takes. */
export function idlReads(program: string): [Read, Read] {
  return [
    { kind: "account", address: metadataAddressOf(program), length: maxBytes },
    { kind: "account", address: idlAddressOf(program), length: maxBytes },
  ];
}

/** Finds the IDL of a program. Program Metadata comes first: Anchor's older account may be outdated. */
export function findIdl(results: readonly (ReadResult | undefined)[], program: string): OnChainIdl {
  const examined = [
    examine("program_metadata", metadataAccountIn(results[0], program)),
    examine("anchor_idl_account", anchorAccountIn(results[1])),
  ];
  return { idl: examined.find(({ idl }) => idl)?.idl, sources: examined.map(({ source }) => source) };
}

/** As `findIdl`, in a worker thread: an account can hold a megabyte of compressed data. */
export function findIdlOf({
  results,
  program,
}: {
  results: (ReadResult | undefined)[];
  program: string;
}): OnChainIdl {
  return findIdl(results, program);
}

export const findIdlTask = workerTask("src/chains/solana/idl/on-chain-idl.ts", findIdlOf, 4_000);

type Found = ReturnType<typeof metadataIn>;

function metadataAccountIn(result: ReadResult | undefined, program: string): Found {
  return metadataIn(unpackAccount(result), program);
}

function anchorAccountIn(result: ReadResult | undefined): Found {
  if (!unpackAccount(result)?.owner) return undefined;
  const json = idlIn(result);
  return json === undefined ? { problem: "The IDL cannot be decompressed or is not JSON." } : { json };
}

function examine(
  source: IdlSource["source"],
  found: Found,
): { source: IdlSource; idl?: Record<string, unknown> } {
  if (!found) return { source: { source, status: "not_found", detail: null } };
  if ("problem" in found)
    return { source: { source, status: found.isExternal ? "skipped" : "invalid", detail: found.problem } };
  if (isTooComplex(found.json))
    return {
      source: { source, status: "invalid", detail: "The IDL is nested too deeply or has too many values." },
    };
  const read = parseIdl(found.json);
  if (!read.ok) return { source: { source, status: "invalid", detail: read.problem.slice(0, 300) } };
  return { source: { source, status: "found", detail: null }, idl: found.json as Record<string, unknown> };
}

/** Deeper than any real IDL, and shallow enough for recursion. */
const maxLevels = 100;
/** As many as an uploaded IDL may have: copying it back from the thread takes time for each value. */
const maxValues = 60_000;

function isTooComplex(value: unknown): boolean {
  let level: unknown[] = [value];
  let values = 0;
  for (let left = maxLevels; left > 0 && level.length > 0 && values <= maxValues; left--) {
    level = level.flatMap((node) => (typeof node === "object" && node !== null ? Object.values(node) : []));
    values += level.length;
  }
  return values > maxValues || level.length > 0;
}
