// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// A price feed with the interface of Chainlink's.
contract DemoFeed {
    uint8 public constant decimals = 8;
    uint256 public constant version = 4;
    string public description;
    address public immutable keeper;
    uint80 private latest;
    mapping(uint80 => int256) private answers;
    mapping(uint80 => uint256) private times;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    constructor(string memory about, address keeper_) {
        (description, keeper) = (about, keeper_);
    }

    function update(int256 answer) external {
        require(msg.sender == keeper, "only the keeper");
        latest += 1;
        (answers[latest], times[latest]) = (answer, block.timestamp);
        emit AnswerUpdated(answer, latest, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return getRoundData(latest);
    }

    function getRoundData(uint80 round) public view returns (uint80, int256, uint256, uint256, uint80) {
        require(times[round] > 0, "No data present");
        return (round, answers[round], times[round], times[round], round);
    }
}
