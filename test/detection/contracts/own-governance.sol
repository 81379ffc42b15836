// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Votes in the style of Aragon.
contract Voting {
    uint64 public supportRequiredPct = 50e16;
    uint64 public minAcceptQuorumPct = 15e16;
    uint64 public voteTime = 3 days;
    uint256 public votesLength;

    event StartVote(uint256 indexed voteId, address indexed creator, string metadata);
    event CastVote(uint256 indexed voteId, address indexed voter, bool inFavour, uint256 stake);
    event ExecuteVote(uint256 indexed voteId);
    event ChangeSupportRequired(uint64 supportRequiredPct);
    event ChangeMinQuorum(uint64 minAcceptQuorumPct);

    function newVote(string calldata metadata) external {
        emit StartVote(votesLength++, msg.sender, metadata);
    }

    function vote(uint256 id, bool inFavour, uint256 stake) external {
        emit CastVote(id, msg.sender, inFavour, stake);
    }

    function executeVote(uint256 id) external {
        emit ExecuteVote(id);
    }

    function changeMinAcceptQuorumPct(uint64 next) external {
        minAcceptQuorumPct = next;
        emit ChangeMinQuorum(next);
    }
}
