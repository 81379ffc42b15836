import type { Hex } from "../../chains/block.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { onFirstUse } from "../../lib/caching/on-first-use.ts";

export type Privilege =
  | "upgrade"
  | "ownership"
  | "roles"
  | "pause"
  | "supply"
  | "blocklist"
  | "funds"
  | "settings"
  | "execution";

/** A function that only privileged accounts should be able to call. */
export type PrivilegedFunction = { signature: string; selector: Hex; privilege: Privilege };

const signatures: Record<Privilege, string[]> = {
  upgrade: [
    "upgradeTo(address)",
    "upgradeToAndCall(address,bytes)",
    "changeAdmin(address)",
    "upgrade(address,address)",
    "upgradeAndCall(address,address,bytes)",
    "setImplementation(address)",
    "changeMasterCopy(address)",
    "diamondCut((address,uint8,bytes4[])[],address,bytes)",
  ],
  ownership: [
    "transferOwnership(address)",
    "renounceOwnership()",
    "setOwner(address)",
    "acceptOwnership()",
    "setAdmin(address)",
  ],
  roles: [
    "grantRole(bytes32,address)",
    "revokeRole(bytes32,address)",
    "setMinter(address)",
    "addMinter(address)",
    "setOperator(address)",
  ],
  pause: ["pause()", "unpause()", "setPaused(bool)", "freeze(address)", "unfreeze(address)"],
  supply: [
    "mint(address,uint256)",
    "mint(uint256)",
    "burn(address,uint256)",
    "burnFrom(address,uint256)",
    "configureMinter(address,uint256)",
  ],
  blocklist: [
    "blacklist(address)",
    "unBlacklist(address)",
    "addBlackList(address)",
    "destroyBlackFunds(address)",
    "setBlacklist(address,bool)",
  ],
  funds: [
    "withdraw()",
    "withdraw(uint256)",
    "withdrawTo(address,uint256)",
    "sweep(address)",
    "rescueTokens(address,uint256)",
    "rescueERC20(address,address,uint256)",
    "emergencyWithdraw()",
    "skim(address)",
  ],
  settings: [
    "setFee(uint256)",
    "setFees(uint256)",
    "setOracle(address)",
    "setPriceFeed(address)",
    "setPeer(uint32,bytes32)",
    "setDelegate(address)",
    "updateDelay(uint256)",
  ],
  execution: [
    "execute(address,uint256,bytes)",
    "schedule(address,uint256,bytes,bytes32,bytes32,uint256)",
    "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
    "enableModule(address)",
  ],
};

/** Known privileged functions. */
export const privilegedFunctions = onFirstUse((): readonly PrivilegedFunction[] =>
  Object.entries(signatures).flatMap(([privilege, list]) =>
    list.map((signature) => {
      const read = canonicalFunction(signature);
      if (!read.ok) throw new Error(`${signature}: ${read.problem}`);
      return { signature, selector: read.selector, privilege: privilege as Privilege };
    }),
  ),
);
