import { registerHooks } from "node:module";

const webSource = new URL("../../web/src/", import.meta.url);
const isWatching = process.env.VITEST_MODE === "WATCH";

/**
 * Resolves imports of our own files without the hooks of Vitest and Node. Vitest's hook sends each import to the main process, which
 * needs them to watch files only, and Node's reads the file system.
 */
function resolveOwn(specifier: string, parentURL: string | undefined): string | undefined {
  // The dashboard's build resolves `@/` to its source folder.
  if (specifier.startsWith("@/")) return new URL(specifier.slice(2), webSource).href;
  const isOwn = !isWatching && /^\.\.?\/.*\.tsx?$/.test(specifier) && !parentURL?.includes("/node_modules/");
  return isOwn ? new URL(specifier, parentURL).href : undefined;
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = resolveOwn(specifier, context.parentURL);
    return url ? { url, shortCircuit: true } : nextResolve(specifier, context);
  },
});
