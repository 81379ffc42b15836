import type { Hex } from "../../chains/block.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { onFirstUse } from "../../lib/caching/on-first-use.ts";
import { privilegedFunctions } from "../control/privileged-functions.ts";
import { commonGetters } from "./common-getters.ts";

/** Common functions, whose names need no lookup, with their return types. */
const declarations = [
  // ERC-20 and its extensions
  "name() view returns (string)",
  "symbol() view returns (string)",
  "decimals() view returns (uint8)",
  "totalSupply() view returns (uint256)",
  "balanceOf(address) view returns (uint256)",
  "transfer(address,uint256) returns (bool)",
  "transferFrom(address,address,uint256) returns (bool)",
  "approve(address,uint256) returns (bool)",
  "allowance(address,address) view returns (uint256)",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "nonces(address) view returns (uint256)",
  "DOMAIN_SEPARATOR() view returns (bytes32)",
  // ERC-721 and ERC-1155
  "ownerOf(uint256) view returns (address)",
  "tokenURI(uint256) view returns (string)",
  "setApprovalForAll(address,bool)",
  "isApprovedForAll(address,address) view returns (bool)",
  "getApproved(uint256) view returns (address)",
  "safeTransferFrom(address,address,uint256)",
  "balanceOfBatch(address[],uint256[]) view returns (uint256[])",
  "safeTransferFrom(address,address,uint256,uint256,bytes)",
  "uri(uint256) view returns (string)",
  // ERC-4626
  "asset() view returns (address)",
  "totalAssets() view returns (uint256)",
  "convertToAssets(uint256) view returns (uint256)",
  "convertToShares(uint256) view returns (uint256)",
  "deposit(uint256,address) returns (uint256)",
  "redeem(uint256,address,address) returns (uint256)",
  // Access control
  "supportsInterface(bytes4) view returns (bool)",
  "owner() view returns (address)",
  "pendingOwner() view returns (address)",
  "paused() view returns (bool)",
  "hasRole(bytes32,address) view returns (bool)",
  "getRoleAdmin(bytes32) view returns (bytes32)",
  "getRoleMember(bytes32,uint256) view returns (address)",
  "getRoleMemberCount(bytes32) view returns (uint256)",
  "implementation() view returns (address)",
  "proxiableUUID() view returns (bytes32)",
  // Feeds, pools and governance
  "latestRoundData() view returns (uint80,int256,uint256,uint256,uint80)",
  "latestAnswer() view returns (int256)",
  "aggregator() view returns (address)",
  "description() view returns (string)",
  "getReserves() view returns (uint112,uint112,uint32)",
  "token0() view returns (address)",
  "token1() view returns (address)",
  "getMinDelay() view returns (uint256)",
  "votingDelay() view returns (uint256)",
  "votingPeriod() view returns (uint256)",
  "getThreshold() view returns (uint256)",
  "getOwners() view returns (address[])",
];

/** Declarations by selector. */
export const knownFunctions = onFirstUse(
  (): ReadonlyMap<Hex, string> =>
    new Map(
      [...declarations, ...commonGetters(), ...privilegedFunctions().map(({ signature }) => signature)].map(
        (declaration) => {
          const read = canonicalFunction(declaration);
          if (!read.ok) throw new Error(`${declaration}: ${read.problem}`);
          return [read.selector, declaration] as const;
        },
      ),
    ),
);
