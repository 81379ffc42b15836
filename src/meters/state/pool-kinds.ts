import type { Read, ReadResult } from "../../chains/block.ts";
import type { DecodedValue } from "../../chains/decoding/decoded-value.ts";
import { asInteger, integerResult, readCall, resultOf, UnreadableState } from "../state-results.ts";

/** The config fields that locate the balances of a pool. */
type PoolConfig = { coins: number; pool_id?: string | undefined; vault: string };

type PoolKind = {
  reads(config: PoolConfig, address: string): Read[];
  /** Decodes the balance of each asset, in the order of the pool. Throws UnreadableState. */
  balances(config: PoolConfig, results: readonly ReadResult[], address: string): bigint[];
};

const getReserves = "getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 updatedAt)";

const uniswapV2: PoolKind = {
  reads: (_config, address) => [readCall(address, getReserves)],
  balances(_config, [result]) {
    const { reserve0, reserve1 } = resultOf(result, getReserves);
    return [asInteger(reserve0), asInteger(reserve1)];
  },
};

/** Early Curve pools index assets by int128, later ones by uint256; both are read. */
const curveBalances = [
  "balances(uint256 i) view returns (uint256)",
  "balances(int128 i) view returns (uint256)",
] as const;

const curve: PoolKind = {
  reads({ coins }, address) {
    return indexes(coins).flatMap((index) =>
      curveBalances.map((declaration) => readCall(address, declaration, [BigInt(index)])),
    );
  },
  balances({ coins }, results) {
    return indexes(coins).map((index) => {
      const [byUint, byInt] = results.slice(2 * index);
      // A contract with a fallback function may return no data instead of reverting.
      const answer = byUint?.ok && byUint.data.length >= 66 ? byUint : (byInt ?? byUint);
      return integerResult(answer, curveBalances[0]);
    });
  },
};

const getPoolTokens =
  "getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)";

const balancer: PoolKind = {
  reads: ({ pool_id, vault }) => (pool_id ? [readCall(vault, getPoolTokens, [pool_id])] : []),
  balances(_config, [result], address) {
    const { tokens, balances } = resultOf(result, getPoolTokens);
    const amounts = listOf(balances).map(asInteger);
    const tokenAddresses = listOf(tokens);
    if (amounts.length !== tokenAddresses.length || amounts.length > 50) {
      throw new UnreadableState("The vault returned inconsistent balances; check pool_id.");
    }
    // Some pools list their own pool token, almost all of which is pre-minted and not in circulation.
    return amounts.filter((_, index) => tokenAddresses[index] !== address);
  },
};

export const poolKinds = { uniswap_v2: uniswapV2, curve, balancer };

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function listOf(value: DecodedValue | undefined): DecodedValue[] {
  return Array.isArray(value) ? value : [];
}
