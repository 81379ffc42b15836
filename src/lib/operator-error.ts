/** A setting or a machine state that the operator must fix. Printed as one sentence, without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
