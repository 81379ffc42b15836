import { setFlagsFromString } from "node:v8";

// The large young generation of the test process (vitest.config.ts) is not for its worker threads, whose memory is limited.
setFlagsFromString("--min-semi-space-size=0");
setFlagsFromString("--max-semi-space-size=0");
