import { createHash } from "node:crypto";

/** Anchor's discriminator: the first eight bytes of a hash of the name. */
export function discriminatorOf(space: "global" | "event" | "account", name: string): Buffer {
  return createHash("sha256").update(`${space}:${name}`).digest().subarray(0, 8);
}

/** Converts a name to snake case, which is hashed; older IDLs use camel case. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
