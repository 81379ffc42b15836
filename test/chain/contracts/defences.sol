// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A vault whose assets an attacker can take.
contract Vault is ERC4626 {
    constructor(IERC20 token) ERC20("Vault", "vTKN") ERC4626(token) {}

    function exploit(address to, uint256 amount) external {
        IERC20(asset()).transfer(to, amount);
    }
}

/// A pool of two tokens with the face of a Uniswap V2 pair.
contract Pair {
    address public token0;
    address public token1;
    uint112 private reserve0;
    uint112 private reserve1;

    constructor(address first, address second) {
        (token0, token1) = (first, second);
    }

    function sync() public {
        reserve0 = uint112(IERC20(token0).balanceOf(address(this)));
        reserve1 = uint112(IERC20(token1).balanceOf(address(this)));
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, uint32(block.timestamp));
    }

    /// Takes any amount of one token, as a swap with a wrong price does.
    function take(address token, address to, uint256 amount) external {
        IERC20(token).transfer(to, amount);
        sync();
    }
}

/// A feed that keeps its rounds.
contract RoundFeed {
    uint8 public constant decimals = 8;
    string public constant description = "TKN / USD";
    uint80 private newest;
    mapping(uint80 => int256) private answers;
    mapping(uint80 => uint256) private times;

    function push(int256 answer, uint256 updatedAt) external {
        newest += 1;
        (answers[newest], times[newest]) = (answer, updatedAt);
    }

    function getRoundData(uint80 round) public view returns (uint80, int256, uint256, uint256, uint80) {
        require(round > 0 && round <= newest, "no such round");
        return (round, answers[round], times[round], times[round], round);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return getRoundData(newest);
    }
}
