import type { SolanaTransaction } from "../transactions/transaction.ts";
import type { Idl } from "./idl.ts";
import { knownErrorName } from "./known-errors.ts";

/** Why a transaction failed, in the words of the program that ended it, as far as they are known. */
export type ProgramFailure = {
  error_program: string | null;
  error_code: number | null;
  error_name: string | null;
  error_message: string | null;
};

const none: ProgramFailure = {
  error_program: null,
  error_code: null,
  error_name: null,
  error_message: null,
};

/**
 * Names the error of a failed transaction: as in the IDL of the monitored program, as an Anchor program logged it, or as a
 * framework calls it. The innermost program that failed is the one that chose the number. Undefined if the transaction
 * succeeded.
 */
export function failureOf(tx: SolanaTransaction, monitored: string, idl: Idl): ProgramFailure | undefined {
  if (tx.is_success) return undefined;
  const { instruction, code, name } = readError(tx.error);
  const topLevel = tx.instructions.filter(({ depth }) => depth === 1)[instruction ?? -1]?.program;
  const error_program = tx.failed_program ?? topLevel ?? null;
  if (code === null || error_program === null) return { ...none, error_program, error_name: name };
  const failedIdl = error_program === monitored ? idl : undefined;
  const declared = failedIdl?.errors.get(code);
  const logged = declared ? undefined : loggedError(tx, error_program, code);
  return {
    error_program,
    error_code: code,
    error_name:
      declared?.name ??
      logged?.error_name ??
      knownErrorName(error_program, code, failedIdl !== undefined && failedIdl.instructions.length > 0) ??
      null,
    error_message: declared?.message ?? logged?.error_message ?? null,
  };
}

type RuntimeError = { instruction: number | null; code: number | null; name: string | null };

/** Reads the error of the runtime: a name, or the number of an instruction with a name or with the number of a program. */
function readError(text: string | null): RuntimeError {
  const nothing = { instruction: null, code: null, name: null };
  const parsed = fromJson(text);
  if (typeof parsed === "string") return { ...nothing, name: parsed };
  if (typeof parsed !== "object" || parsed === null) return nothing;
  const [[kind, detail] = ["", undefined]] = Object.entries(parsed);
  if (kind !== "InstructionError" || !Array.isArray(detail)) return { ...nothing, name: kind || null };
  const [instruction, why] = detail as unknown[];
  const at = typeof instruction === "number" ? instruction : null;
  const custom = typeof why === "object" && why !== null ? Reflect.get(why, "Custom") : undefined;
  if (typeof custom === "number") return { instruction: at, code: custom, name: null };
  const name = typeof why === "string" ? why : Object.keys(Object(why))[0];
  return { instruction: at, code: null, name: name ?? null };
}

function fromJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

const anchorLine = /Error Code: (\w{1,100})\. Error Number: (\d{1,10})\. Error Message: (.{0,300})/;

/** Programs that are made with Anchor log the name of their error. */
function loggedError({ lines }: SolanaTransaction, program: string, code: number) {
  for (const line of lines) {
    const match = line.program === program && line.kind === "log" ? anchorLine.exec(line.text) : null;
    if (match && Number(match[2]) === code)
      return { error_name: match[1] ?? null, error_message: match[3]?.replace(/\.$/, "") || null };
  }
  return undefined;
}
