import { makeStoredInterfaces } from "../../decoding/stored-interfaces.ts";
import { type AbiIndex, emptyAbi } from "./abi.ts";
import { type PackedAbi, packAbiSteps, packAbiTask, unpackAbi } from "./packed-abi.ts";

/** Compiles an ABI from the database; empty if there is none or it cannot be used. */
export const compileStoredAbi = makeStoredInterfaces<AbiIndex, PackedAbi>({
  task: packAbiTask,
  steps: packAbiSteps,
  unpack: unpackAbi,
  unusable: emptyAbi,
});
