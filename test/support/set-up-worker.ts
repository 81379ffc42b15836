import fc from "fast-check";
import "./resolve-modules.ts";
import { runSize, seedOf } from "./run-size.ts";

/** A failed property prints its seed, and PROPERTY_SEED repeats it. The same seed finds nothing new in more runs. */
fc.configureGlobal({
  seed: seedOf("PROPERTY_SEED"),
  numRuns: runSize("PROPERTY_RUNS", { short: 50, long: 300 }),
});

// Types are stripped in place, so that lines are right without maps, whose search takes time in every module and stack trace.
process.setSourceMapsEnabled(false);
