import fc from "fast-check";
import { seedOf } from "./run-size.ts";

/** A failed property prints its seed, and PROPERTY_SEED repeats it. */
fc.configureGlobal({ seed: seedOf("PROPERTY_SEED") });
