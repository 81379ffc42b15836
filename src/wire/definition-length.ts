/**
 * The length of a config of a target, or of the condition of a rule, as JSON. The engine loads those of all orgs, and a policy
 * copies its own to thousands of contracts.
 */
export const maxDefinitionLength = 32 * 1024;

export const definitionTooLong = `must have at most ${maxDefinitionLength} characters as JSON; shorten or divide it`;

export function isDefinitionShort(value: unknown): boolean {
  return JSON.stringify(value).length <= maxDefinitionLength;
}

/** The length of the configs of all targets that are created with a contract: they are checked at once. */
const maxTogether = 64 * 1024;

export const definitionsTooLong = `must have at most ${maxTogether} characters together as JSON; create the others later`;

export function areDefinitionsShort(values: readonly unknown[]): boolean {
  return JSON.stringify(values).length <= maxTogether;
}
