import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files run first, so that the run does not end with one of them alone. */
const longest = [
  "test/crash/crash.test.ts",
  "test/dashboard/pages.test.ts",
  "test/dashboard/scenario.test.ts",
  "test/api/access.test.ts",
  "test/api/orgs/key-access.test.ts",
  "test/zoo/provider-zoo.test.ts",
  "test/http/pages.test.ts",
  "src/lib/postgres/start.test.ts",
  "test/api/imports/configuration.test.ts",
  "src/lib/postgres/recovery.test.ts",
  "test/solana/engine.test.ts",
  "test/process/serve.test.ts",
  "test/solana/busy.test.ts",
  "test/process/supervisor.test.ts",
  "test/process/cli.test.ts",
  "test/chain/service.test.ts",
  "test/process/roles.test.ts",
  "test/solana/fuzz.test.ts",
  "test/http/fuzz.test.ts",
  "test/delivery/sending.test.ts",
  "test/workers/offload.test.ts",
  "test/hostile/bodies.test.ts",
  "test/stream/stream.test.ts",
];

/** The default order of a first run is by file size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("web/src", import.meta.url)) } },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    // Twice the cores of a small machine: tests often wait for the database, a process or a node.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files of a worker share loaded modules, because loading them per file took as long as the tests. Our modules keep no
    // state, so files do not affect each other.
    isolate: false,
    // Far more than a test needs on an idle machine; only for tests that hang.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
