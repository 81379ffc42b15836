// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Feed} from "./feed.sol";

/// Stands before a feed as Chainlink's proxies do.
contract FeedProxy {
    Feed public aggregator;
    string public description;

    constructor(Feed feed, string memory pair) {
        (aggregator, description) = (feed, pair);
    }

    function decimals() external view returns (uint8) {
        return aggregator.decimals();
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return aggregator.latestRoundData();
    }
}
