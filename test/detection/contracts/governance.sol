// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";

/// A governor in which everybody has one vote.
contract Council is Governor, GovernorCountingSimple {
    mapping(bytes32 => uint256) private ids;

    constructor() Governor("Council") {}

    function propose(address[] memory targets, uint256[] memory values, bytes[] memory calldatas, string memory description)
        public
        override
        returns (uint256 id)
    {
        id = super.propose(targets, values, calldatas, description);
        ids[keccak256(bytes(description))] = id;
    }

    function vote(string calldata description) external {
        _castVote(ids[keccak256(bytes(description))], msg.sender, 1, "");
    }

    function votingDelay() public pure override returns (uint256) {
        return 1;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 8;
    }

    function quorum(uint256) public pure override returns (uint256) {
        return 1;
    }

    function clock() public view override returns (uint48) {
        return uint48(block.number);
    }

    // solhint-disable-next-line func-name-mixedcase
    function CLOCK_MODE() public pure override returns (string memory) {
        return "mode=blocknumber&from=default";
    }

    function _getVotes(address, uint256, bytes memory) internal pure override returns (uint256) {
        return 1;
    }
}
