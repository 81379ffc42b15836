import type { AbiSource } from "./abi-source.ts";
import { etherscan } from "./etherscan.ts";
import { sourcify } from "./sourcify.ts";

/** Every registry of verified sources, in the order of use. */
export const abiSources: readonly AbiSource[] = [sourcify, etherscan];
