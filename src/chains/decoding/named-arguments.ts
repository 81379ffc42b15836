/**
 * Adds the parameter names of a signature to decoded arguments, which have them as `$0`, `$1`, …: an expression may use the
 * names from the signature as well as those from the ABI.
 */
export function withParameterNames(
  parameters: readonly { name?: string | undefined }[],
  args: Record<string, unknown>,
): Record<string, unknown> {
  const named = parameters.flatMap(({ name }, position) =>
    name && Object.hasOwn(args, `$${position}`) ? [[name, args[`$${position}`]] as const] : [],
  );
  return { ...args, ...Object.fromEntries(named) };
}
