/** A problem in an ABI, an IDL or a signature, as a sentence for the person who supplied it. */
export class AbiProblem extends Error {
  override name = "AbiProblem";
}

/** A parsed value, or the problem that prevented parsing. */
export type Read<T> = ({ ok: true } & T) | { ok: false; problem: string };

/** Converts an AbiProblem that a parser throws into a result. */
export function readOrProblem<T extends object>(read: () => T): Read<T> {
  try {
    return { ok: true, ...read() };
  } catch (error) {
    if (!(error instanceof AbiProblem)) throw error;
    return { ok: false, problem: error.message };
  }
}
