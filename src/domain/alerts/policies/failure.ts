import { AppError, InvalidRequest } from "../../../errors/app-error.ts";
import type { PolicyFailure } from "../../../wire/alerts/policies.ts";

/** A contract cannot have the rule of a policy. */
export class Unfit extends Error {
  override name = "Unfit";
  readonly code: PolicyFailure["code"];

  constructor(code: PolicyFailure["code"], reason: string) {
    super(reason);
    this.code = code;
  }
}

type Failure = Pick<PolicyFailure, "code" | "reason">;

const maxReasonLength = 500;

/** Returns why a policy cannot be applied; undefined for an error that is not about the contract. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Unfit) return { code: error.code, reason: shorten(error.message) };
  if (error instanceof AppError) return { code: "invalid", reason: shorten(error.message) };
  if (!(error instanceof InvalidRequest)) return undefined;
  const sentences = error.issues.map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}.`);
  return { code: "invalid", reason: shorten(sentences.join(" ")) };
}

function shorten(text: string): string {
  return text.length > maxReasonLength ? `${text.slice(0, maxReasonLength - 1)}…` : text;
}
