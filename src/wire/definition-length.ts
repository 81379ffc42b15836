/**
 * The length of a config of a target, or of the condition of a rule, as JSON. The engine loads those of all orgs, and a policy
 * copies its own to thousands of contracts.
 */
export const maxDefinitionLength = 32 * 1024;

export const definitionTooLong = `must have at most ${maxDefinitionLength} characters as JSON; shorten or divide it`;

export function isDefinitionShort(value: unknown): boolean {
  return JSON.stringify(value).length <= maxDefinitionLength;
}
