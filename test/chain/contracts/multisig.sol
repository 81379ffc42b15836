// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Has the face of a Safe: its proxy keeps what stands behind it in the first slot.
contract Multisig {
    address private singleton;
    address[] private owners;
    uint256 private threshold;

    function setup(address[] calldata newOwners, uint256 newThreshold) external {
        require(threshold == 0, "set up already");
        (owners, threshold) = (newOwners, newThreshold);
    }

    function getOwners() external view returns (address[] memory) {
        return owners;
    }

    function getThreshold() external view returns (uint256) {
        return threshold;
    }
}

/// The proxy of a Safe, which names its code itself.
contract MultisigProxy {
    address private singleton;

    constructor(address code, bytes memory data) {
        singleton = code;
        (bool done, ) = code.delegatecall(data);
        require(done, "not set up");
    }

    fallback() external payable {
        if (msg.sig == 0xa619486e) {
            address code = singleton;
            assembly {
                mstore(0, code)
                return(0, 32)
            }
        }
        (bool done, bytes memory data) = singleton.delegatecall(msg.data);
        assembly {
            switch done
            case 0 { revert(add(data, 32), mload(data)) }
            default { return(add(data, 32), mload(data)) }
        }
    }
}
