import type { DecodedValue } from "../../decoding/decoded-value.ts";

/** A decoded log, call or revert. `args` holds each argument by name and by position (`$0`). */
export type Decoded = { name: string; signature: string; args: { [name: string]: DecodedValue } };
