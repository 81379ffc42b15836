// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Keeps the address of its code in whatever slot it is told.
contract SlotProxy {
    bytes32 private immutable slot;

    constructor(bytes32 place, address code) {
        slot = place;
        assembly {
            sstore(place, code)
        }
    }

    function point(address code) external {
        bytes32 place = slot;
        assembly {
            sstore(place, code)
        }
    }

    fallback() external payable {
        bytes32 place = slot;
        address code;
        assembly {
            code := sload(place)
        }
        (bool done, bytes memory data) = code.delegatecall(msg.data);
        assembly {
            switch done
            case 0 { revert(add(data, 32), mload(data)) }
            default { return(add(data, 32), mload(data)) }
        }
    }
}

/// Says itself what it forwards to.
contract TellingProxy {
    address private immutable code;

    constructor(address target) {
        code = target;
    }

    function implementation() external view returns (address) {
        return code;
    }

    function proxyType() external pure returns (uint256) {
        return 2;
    }
}

/// Has several contracts behind it.
contract Facets {
    address[] private list;

    constructor(address[] memory facets) {
        list = facets;
    }

    function facetAddresses() external view returns (address[] memory) {
        return list;
    }
}
