import { makeStoredInterfaces } from "../../decoding/stored-interfaces.ts";
import { type Idl, idlSteps, noIdl } from "./idl.ts";

/** Compiles an IDL from the database; empty if there is none or it cannot be used. */
export const compileStoredIdl = makeStoredInterfaces<Idl>(idlSteps, noIdl);
