// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Answers as Chainlink's feeds do.
contract Feed {
    uint8 public constant decimals = 8;
    uint80 private round;
    int256 private answer;
    uint256 private updatedAt;

    constructor(int256 first) {
        set(first);
    }

    function set(int256 next) public {
        (round, answer, updatedAt) = (round + 1, next, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (round, answer, updatedAt, updatedAt, round);
    }
}
