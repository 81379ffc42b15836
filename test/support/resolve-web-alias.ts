import { registerHooks } from "node:module";

const source = new URL("../../web/src/", import.meta.url);

// The dashboard's build resolves `@/` to its source folder.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.startsWith("@/")
      ? nextResolve(new URL(specifier.slice(2), source).href, context)
      : nextResolve(specifier, context),
});
