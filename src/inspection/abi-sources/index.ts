import type { AbiSource } from "./abi-source.ts";
import { etherscan } from "./etherscan.ts";
import { sourcify } from "./sourcify.ts";

/** Every source of published ABIs, the best first. */
export const abiSources: readonly AbiSource[] = [sourcify, etherscan];
