/** What is wrong with an ABI or a signature, in a sentence for whoever supplied it. */
export class AbiProblem extends Error {
  override name = "AbiProblem";
}

/** Something that was read, or the sentence that says why it could not be. */
export type Read<T> = ({ ok: true } & T) | { ok: false; problem: string };

/** Turns the problem that a reader throws into a result. */
export function readOrProblem<T extends object>(read: () => T): Read<T> {
  try {
    return { ok: true, ...read() };
  } catch (error) {
    if (!(error instanceof AbiProblem)) throw error;
    return { ok: false, problem: error.message };
  }
}
