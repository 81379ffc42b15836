// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A pair like those of Uniswap V2, with its liquidity token.
contract PairV2 is ERC20 {
    address public token0;
    address public token1;
    address public factory;
    uint112 private reserve0;
    uint112 private reserve1;

    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);
    event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to);
    event Sync(uint112 reserve0, uint112 reserve1);

    constructor(address first, address second) ERC20("Uniswap V2", "UNI-V2") {
        (token0, token1, factory) = (first, second, msg.sender);
    }

    function getReserves() public view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, uint32(block.timestamp));
    }

    function add(uint256 amount0, uint256 amount1) external {
        uint256 shares = totalSupply() == 0 ? 1e18 : (totalSupply() * amount0) / reserve0;
        IERC20(token0).transferFrom(msg.sender, address(this), amount0);
        IERC20(token1).transferFrom(msg.sender, address(this), amount1);
        _mint(msg.sender, shares);
        emit Mint(msg.sender, amount0, amount1);
        sync();
    }

    function remove(uint256 shares) external {
        (uint256 amount0, uint256 amount1) = ((reserve0 * shares) / totalSupply(), (reserve1 * shares) / totalSupply());
        _burn(msg.sender, shares);
        IERC20(token0).transfer(msg.sender, amount0);
        IERC20(token1).transfer(msg.sender, amount1);
        emit Burn(msg.sender, amount0, amount1, msg.sender);
        sync();
    }

    function swap(bool isFirst, uint256 amountIn, uint256 atLeast) external {
        (uint256 from, uint256 to) = isFirst ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 net = amountIn * 997;
        uint256 amountOut = (net * to) / (from * 1000 + net);
        require(amountOut >= atLeast, "too little");
        IERC20(isFirst ? token0 : token1).transferFrom(msg.sender, address(this), amountIn);
        IERC20(isFirst ? token1 : token0).transfer(msg.sender, amountOut);
        sync();
        emit Swap(msg.sender, isFirst ? amountIn : 0, isFirst ? 0 : amountIn, isFirst ? 0 : amountOut, isFirst ? amountOut : 0, msg.sender);
    }

    /// A token whose burn function takes from any holder, as several attacks on pairs used.
    function exploitBurn(address token, address to, uint256 amount) external {
        IERC20(token).transfer(to, amount);
        sync();
    }

    function sync() public {
        reserve0 = uint112(IERC20(token0).balanceOf(address(this)));
        reserve1 = uint112(IERC20(token1).balanceOf(address(this)));
        emit Sync(reserve0, reserve1);
    }
}

/// A pool like those of Uniswap V3; the price follows a constant product of virtual reserves.
contract PoolV3 {
    address public token0;
    address public token1;
    address public factory;
    uint24 public constant fee = 500;
    uint128 public liquidity;
    uint160 private sqrtPriceX96;

    event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick);

    constructor(address first, address second, uint160 price, uint128 liquidity_) {
        (token0, token1, factory, sqrtPriceX96, liquidity) = (first, second, msg.sender, price, liquidity_);
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (sqrtPriceX96, 0, 0, 1, 1, 0, true);
    }

    function swap(bool isFirst, uint256 amountIn) external {
        uint256 price = sqrtPriceX96;
        uint256 next = isFirst
            ? (uint256(liquidity) * price) / (uint256(liquidity) + ((amountIn * price) >> 96))
            : price + (amountIn << 96) / liquidity;
        uint256 amountOut = isFirst
            ? (uint256(liquidity) * (price - next)) >> 96
            : (((uint256(liquidity) << 96) / price) * (next - price)) / next;
        IERC20(isFirst ? token0 : token1).transferFrom(msg.sender, address(this), amountIn);
        IERC20(isFirst ? token1 : token0).transfer(msg.sender, amountOut);
        sqrtPriceX96 = uint160(next);
        (int256 amount0, int256 amount1) = isFirst ? (int256(amountIn), -int256(amountOut)) : (-int256(amountOut), int256(amountIn));
        emit Swap(msg.sender, msg.sender, amount0, amount1, sqrtPriceX96, liquidity, 0);
    }

    /// Counts liquidity twice, as in the attack on KyberSwap Elastic.
    function exploit(address to, uint160 price) external {
        sqrtPriceX96 = price;
        IERC20(token0).transfer(to, (IERC20(token0).balanceOf(address(this)) * 9) / 10);
        IERC20(token1).transfer(to, (IERC20(token1).balanceOf(address(this)) * 9) / 10);
        emit Swap(msg.sender, to, 0, 0, price, liquidity, 0);
    }
}

/// Keeps the assets of many pools, like the pool manager of Uniswap V4.
contract PoolManager {
    address public owner;
    event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee);
    event OwnershipTransferred(address indexed user, address indexed newOwner);

    constructor() {
        owner = msg.sender;
    }

    function unlock(bytes calldata) external pure returns (bytes memory) {
        return "";
    }

    function extsload(bytes32 slot) external view returns (bytes32 value) {
        assembly {
            value := sload(slot)
        }
    }

    function swap(address from, address to, uint256 amountIn, uint256 amountOut) external {
        IERC20(from).transferFrom(msg.sender, address(this), amountIn);
        IERC20(to).transfer(msg.sender, amountOut);
        emit Swap(keccak256(abi.encode(from, to)), msg.sender, int128(int256(amountIn)), -int128(int256(amountOut)), 1, 1, 0, 500);
    }

    /// A hook that accounts wrongly lets its caller take.
    function take(address token, address to, uint256 amount) external {
        IERC20(token).transfer(to, amount);
    }
}

/// A pool of assets with equal value, like those of Curve.
contract StablePool is ERC20 {
    address[] private assets;
    uint256[] private held;
    address public owner;
    uint256 private rate = 1e18;

    event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought);
    event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount);

    constructor(address[] memory coins_) ERC20("Curve LP", "crvLP") {
        (assets, owner, held) = (coins_, msg.sender, new uint256[](coins_.length));
    }

    function coins(uint256 index) external view returns (address) {
        return assets[index];
    }

    function balances(uint256 index) external view returns (uint256) {
        return held[index];
    }

    function A() external pure returns (uint256) {
        return 200;
    }

    function get_virtual_price() external view returns (uint256) {
        return rate;
    }

    function add(uint256[] calldata amounts) external {
        for (uint256 at = 0; at < assets.length; at++) {
            IERC20(assets[at]).transferFrom(msg.sender, address(this), amounts[at]);
            held[at] += amounts[at];
        }
        _mint(msg.sender, 1e18);
    }

    /// Amounts of both assets are given, because the curve does not matter here.
    function exchange(int128 from, int128 to, uint256 amountIn, uint256 amountOut) external {
        (uint256 i, uint256 j) = (uint256(uint128(from)), uint256(uint128(to)));
        IERC20(assets[i]).transferFrom(msg.sender, address(this), amountIn);
        IERC20(assets[j]).transfer(msg.sender, amountOut);
        (held[i], held[j], rate) = (held[i] + amountIn, held[j] - amountOut, rate + 1e11);
        emit TokenExchange(msg.sender, from, amountIn, to, amountOut);
    }

    /// Removes liquidity in the middle of another call, as in the attacks of July 2023.
    function exploit(uint256 index, address to, uint256 amount) external {
        IERC20(assets[index]).transfer(to, amount);
        held[index] -= amount;
        rate = (rate * 9) / 10;
        emit RemoveLiquidityOne(to, 1, amount);
    }
}

/// A pool of assets with different prices, like Curve's crypto pools.
contract CryptoPool is StablePool {
    constructor(address[] memory coins_) StablePool(coins_) {}

    function gamma() external pure returns (uint256) {
        return 145000000000000;
    }

    function price_scale() external pure returns (uint256) {
        return 2500e18;
    }
}
