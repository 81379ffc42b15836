// Divides the code of the service into files by the processes that load it. A process needs about half a millisecond for each
// file and each import between files, and without this it would load up to a hundred.
import { join } from "node:path";

/** What the processes load, in the order in which they do. Each of them loads `command`, and each role also `role`. */
const parts = {
  command: ["src/cli/serve.ts"],
  supervisor: ["src/supervisor.ts"],
  role: ["src/cli/role-process.ts", "src/main.ts"],
  api: ["src/http/server.ts"],
  ingest: ["src/pipeline/follow/run-pipeline.ts"],
  background: ["src/jobs/runner.ts", "src/jobs/index.ts", "src/delivery/run-delivery.ts"],
  demo: ["src/cli/demo-process.ts"],
  world: ["src/chains/demo/run-demo.ts"],
  client: ["src/cli/export.ts", "src/cli/plan.ts", "src/cli/apply.ts"],
};

/**
 * Returns a function that names the file of a module by the parts that import it. What no part imports at its start, such as
 * another command, is left to the bundler. Files cannot import each other in a circle: what a module imports is in all of its
 * parts too.
 */
export function makeChunkNames(root) {
  let members;
  return (id, context) => {
    members ??= Object.entries(parts).map(([name, paths]) => {
      const roots = paths.map((path) => join(root, path));
      return { name, modules: reach(roots, context) };
    });
    const names = members.filter(({ modules }) => modules.has(id)).map(({ name }) => name);
    if (names.includes("command")) return "command";
    // Every role loads both.
    if (names.includes("role")) return names.filter((name) => outsideRoles.has(name)).join("-");
    return names.join("-") || null;
  };
}

const outsideRoles = new Set(["supervisor", "role", "demo", "world", "client"]);

/** The modules that are loaded together with some modules. */
function reach(roots, context) {
  const found = new Set();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
