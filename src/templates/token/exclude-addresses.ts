/** Returns an expression that is true unless an argument is one of the addresses; undefined for none. */
export function excludeAddresses(argument: string, addresses: readonly string[]): string | undefined {
  return addresses.map((address) => `${argument} != ${address}`).join(" and ") || undefined;
}
