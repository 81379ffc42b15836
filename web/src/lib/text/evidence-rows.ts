const zeroAddress = /^0x0{40}$/;
const addresses = /0x[0-9a-fA-F]{40}\b/g;

/**
 * Returns the evidence that people read: without the decoded event, which is shown separately, a state that only repeats
 * addresses of other rows, and addresses that are not set and were not before.
 */
export function evidenceRows(evidence: Record<string, unknown>): [name: string, value: unknown][] {
  const rows = Object.entries(evidence).filter(([name]) => name !== "decoded");
  const others = new Set(rows.filter(([name]) => name !== "state").map(([, value]) => value));
  return rows.filter(([name, value]) => {
    if (name === "state") return !repeats(value, others);
    return !(isUnset(value) && !(`previous_${name}` in evidence) && !name.startsWith("previous_"));
  });
}

function repeats(state: unknown, others: ReadonlySet<unknown>): boolean {
  const named = typeof state === "string" ? (state.match(addresses) ?? []) : [];
  return named.length > 0 && named.every((address) => others.has(address));
}

function isUnset(value: unknown): boolean {
  return typeof value === "string" && zeroAddress.test(value);
}
