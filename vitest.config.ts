import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Files share what a worker has loaded: loading it anew for each took as long as the tests. Nothing of ours keeps
    // state in a module, so no file can see another.
    isolate: false,
    // Far more than any test needs on a quiet machine: this is for what hangs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
