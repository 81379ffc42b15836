// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// Code to stand behind a proxy.
contract BoxV1 is UUPSUpgradeable {
    event Stored(uint256 value);

    uint256 public value;

    function store(uint256 next) external virtual {
        value = next;
        emit Stored(next);
    }

    function _authorizeUpgrade(address) internal override {}
}

/// The code after it, which says more.
contract BoxV2 is BoxV1 {
    event StoredBy(address indexed account, uint256 value);

    function store(uint256 next) external override {
        value = next;
        emit StoredBy(msg.sender, next);
    }
}
