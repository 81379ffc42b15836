import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, so that the run does not end with one of them alone. */
const longest = [
  "test/pipeline/reorg-fuzz.test.ts",
  "test/crash/crash.test.ts",
  "test/process/cli.test.ts",
  "test/process/serve.test.ts",
  "test/http/fuzz.test.ts",
  "test/billing/event-order.test.ts",
  "test/delivery/crash.test.ts",
  "test/solana/crash.test.ts",
  "test/solana/fuzz.test.ts",
  "test/pipeline/lying-nodes.test.ts",
  "test/api/access.test.ts",
  "test/chains/evm-reader-fuzz.test.ts",
  "test/stream/stream.test.ts",
  "test/http/database-faults.test.ts",
];

/** A first run knows nothing of times and would go by the size of files. */
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
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    // One more than a small machine has cores: a good part of a test is waiting, for the database, a process or a node.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Files share what a worker has loaded: loading it anew for each took as long as the tests. Nothing of ours keeps
    // state in a module, so no file can see another.
    isolate: false,
    // Far more than any test needs on a quiet machine: this is for what hangs.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
