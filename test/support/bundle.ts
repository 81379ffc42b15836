import { join } from "node:path";
import { inject } from "vitest";

/** Locates an entry of the service's bundle, which loads in a fraction of the time of its sources, by the path of its source. */
export function bundledEntry(path: string): string {
  return join(inject("bundles").service, toBundled(path));
}

/** Locates the bundle of a test's child process by the path of its source. */
export function bundledChild(path: string): string {
  return join(inject("bundles").children, toBundled(path));
}

function toBundled(path: string): string {
  return path.replace(/\.ts$/, ".js");
}
