// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// Code to stand behind a proxy. Anybody may replace it.
contract BoxV1 is UUPSUpgradeable {
    event Stored(address indexed account, uint256 value);

    uint256 public value;

    function store(uint256 next) external {
        value = next;
        emit Stored(msg.sender, next);
    }

    function _authorizeUpgrade(address) internal override {}
}

/// The code after it, which can do more.
contract BoxV2 is BoxV1 {
    event Cleared(address indexed account, uint256 removed);

    function clear() external {
        emit Cleared(msg.sender, value);
        value = 0;
    }
}
