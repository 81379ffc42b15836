import { OperatorError } from "../lib/operator-error.ts";

/** What an operator can do about each code of the system or of PostgreSQL. */
const remedies: Record<string, string> = {
  ECONNREFUSED: "Nothing listens there: start PostgreSQL, or correct host and port in DATABASE_URL.",
  ENOTFOUND: "There is no such host: correct DATABASE_URL.",
  EAI_AGAIN: "The name of the host cannot be resolved: correct DATABASE_URL, or try again.",
  ETIMEDOUT: "It does not answer: check the network and the host in DATABASE_URL.",
  EHOSTUNREACH: "The host cannot be reached: check the network and the host in DATABASE_URL.",
  "28P01": "It rejected the password: correct DATABASE_URL.",
  "28000": "It rejected the user: correct DATABASE_URL, or allow the user in pg_hba.conf.",
  "3D000": "There is no such database: create it, or correct DATABASE_URL.",
};

/** Returns a failure to connect as a sentence for the operator, and any other error as it is. */
export function explainConnectError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const remedy = remedies[code];
  if (!remedy) return error;
  return new OperatorError(`The database cannot be opened (${code}). ${remedy}`, { cause: error });
}
