import { makeStoredInterfaces } from "../../decoding/stored-interfaces.ts";
import { type AbiIndex, abiSteps, emptyAbi } from "./abi.ts";

/** Compiles an ABI from the database; empty if there is none or it cannot be used. */
export const compileStoredAbi = makeStoredInterfaces<AbiIndex>(abiSteps, emptyAbi);
