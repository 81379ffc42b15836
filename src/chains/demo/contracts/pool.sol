// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A pool of two tokens with the interface of a Uniswap V2 pair.
contract DemoPair {
    address public immutable token0;
    address public immutable token1;
    address public immutable factory;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private lastTime;

    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to);
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);

    constructor(address first, address second) {
        (token0, token1, factory) = (first, second, msg.sender);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, lastTime);
    }

    function add(uint256 amount0, uint256 amount1) external {
        IERC20(token0).transferFrom(msg.sender, address(this), amount0);
        IERC20(token1).transferFrom(msg.sender, address(this), amount1);
        emit Mint(msg.sender, amount0, amount1);
        sync();
    }

    function remove(uint256 amount0, uint256 amount1) external {
        IERC20(token0).transfer(msg.sender, amount0);
        IERC20(token1).transfer(msg.sender, amount1);
        emit Burn(msg.sender, amount0, amount1, msg.sender);
        sync();
    }

    /// Sells an amount of one of the tokens at the constant product, with a fee of 0.3 %.
    function sell(bool isFirst, uint256 amountIn, uint256 atLeast) external {
        (uint256 from, uint256 to) = isFirst ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 net = amountIn * 997;
        uint256 amountOut = (net * to) / (from * 1000 + net);
        require(amountOut >= atLeast, "too little");
        IERC20(isFirst ? token0 : token1).transferFrom(msg.sender, address(this), amountIn);
        IERC20(isFirst ? token1 : token0).transfer(msg.sender, amountOut);
        sync();
        if (isFirst) emit Swap(msg.sender, amountIn, 0, 0, amountOut, msg.sender);
        else emit Swap(msg.sender, 0, amountIn, amountOut, 0, msg.sender);
    }

    function sync() public {
        reserve0 = uint112(IERC20(token0).balanceOf(address(this)));
        reserve1 = uint112(IERC20(token1).balanceOf(address(this)));
        lastTime = uint32(block.timestamp);
        emit Sync(reserve0, reserve1);
    }
}
