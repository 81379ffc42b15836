import { makeStoredInterfaces } from "../../decoding/stored-interfaces.ts";
import { type Idl, noIdl, unpackIdl } from "./idl.ts";
import { type PackedIdl, packIdlSteps, packIdlTask } from "./packed-idl.ts";

/** Compiles an IDL from the database; empty if there is none or it cannot be used. */
export const compileStoredIdl = makeStoredInterfaces<Idl, PackedIdl>({
  task: packIdlTask,
  steps: packIdlSteps,
  unpack: unpackIdl,
  unusable: noIdl,
});
