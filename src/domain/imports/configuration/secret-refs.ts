import type { ChannelConfig } from "../../../delivery/channel-config.ts";
import type { Issue } from "../../../errors/app-error.ts";

/** The placeholder of a secret in a document. */
type SecretRef = { $secret: string };

/** Returns a function that creates unique secret names. They are valid environment variables and never a setting of ours. */
export function makeSecretNames(): (parts: readonly string[]) => string {
  const usedNames = new Set<string>();
  return (parts) => {
    const words =
      parts
        .join("_")
        .toUpperCase()
        .match(/[A-Z0-9]+/g) ?? [];
    const base = ["CHANNEL", ...words].join("_").slice(0, 180);
    let name = base;
    for (let number = 2; usedNames.has(name); number++) name = `${base}_${number}`;
    usedNames.add(name);
    return name;
  };
}

/** Replaces each text in a masked value by a secret reference. */
export function withRefs(
  value: unknown,
  path: readonly string[],
  nameOf: (path: readonly string[]) => string,
): unknown {
  if (typeof value !== "object" || value === null) return { $secret: nameOf(path) } satisfies SecretRef;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    withRefs(part, [...path, name], nameOf),
  ]);
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Resolves secret references to the given value, or else to the stored one; adds an issue if there is neither. */
export function resolveRefs(
  value: unknown,
  old: unknown,
  secrets: Readonly<Record<string, string>>,
  loc: (string | number)[],
  issues: Issue[],
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isSecretRef(value)) {
    const secret = Object.hasOwn(secrets, value.$secret) ? secrets[value.$secret] : old;
    if (typeof secret === "string") return secret;
    const msg = `needs the secret ${value.$secret}; add it to secrets`;
    issues.push({ loc, msg, type: "missing_secret" });
    return undefined;
  }
  const before = (typeof old === "object" && old !== null ? old : {}) as ChannelConfig;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    resolveRefs(
      part,
      Object.hasOwn(before, name) ? before[name] : undefined,
      secrets,
      [...loc, name],
      issues,
    ),
  ]);
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Returns the names of all secrets that a value refers to. */
export function secretNamesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return isSecretRef(value) ? [value.$secret] : Object.values(value).flatMap(secretNamesIn);
}

function isSecretRef(value: object): value is SecretRef {
  if (!("$secret" in value) || Object.keys(value).length > 1) return false;
  return typeof value.$secret === "string" && /^[A-Za-z_]\w{0,199}$/.test(value.$secret);
}
