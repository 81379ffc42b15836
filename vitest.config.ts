import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Slow files that mostly wait for processes, disks and timeouts. */
const waiting = [
  "test/crash/crash.test.ts",
  "src/lib/postgres/start.test.ts",
  "src/lib/postgres/recovery.test.ts",
  "test/process/serve.test.ts",
  "test/process/cli.test.ts",
  "test/chain/service.test.ts",
  "test/process/supervisor.test.ts",
  "test/delivery/crash.test.ts",
  "test/process/roles.test.ts",
];

/** Slow files that mostly use the processor. */
const computing = [
  "test/dashboard/pages.test.ts",
  "test/zoo/provider-zoo.test.ts",
  "test/detection/templates.test.ts",
  "test/api/access.test.ts",
  "test/http/pages.test.ts",
  "test/pipeline/follow/reading-plans.test.ts",
  "test/api/orgs/key-access.test.ts",
  "test/solana/follow/busy.test.ts",
  "test/api/imports/configuration-apply.test.ts",
  "test/solana/engine.test.ts",
  "test/solana/crash.test.ts",
  "test/http/stream/stream.test.ts",
  "test/http/input.test.ts",
  "test/http/fuzz.test.ts",
  "test/hostile/bodies.test.ts",
  "test/http/openapi.test.ts",
  "test/delivery/sending.test.ts",
  "test/jobs/policies/crash.test.ts",
  "test/delivery/escalation.test.ts",
  "test/lib/workers/offload.test.ts",
];

/**
 * The slowest files run first, so that the run does not end with one of them alone. One of three workers runs files that wait, so
 * that the processor is used meanwhile.
 */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The default order of a first run is by file size.
    const rest = await super.sort(files);
    const remove = (path: string) => {
      const index = rest.findIndex(({ moduleId }) => moduleId.endsWith(path));
      return index === -1 ? [] : rest.splice(index, 1);
    };
    const slow = waiting.flatMap(remove);
    const others = [...computing.flatMap(remove), ...rest];
    return [...slow.flatMap((file) => [file, ...others.splice(0, 2)]), ...others];
  }
}

export default defineConfig({
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/support/set-up-worker.ts"],
    pool: "forks",
    // One more than the cores of a small machine: tests often wait for the database, a process or a node.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    // Node runs TypeScript itself: a third less processor time than with the modules that Vite transforms.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Files of a worker share loaded modules, because loading them per file took as long as the tests. Our modules keep no
    // state, so files do not affect each other.
    isolate: false,
    // Far more than a test needs on an idle machine; only for tests that hang.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
