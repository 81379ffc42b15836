// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Emits arguments of many types, and holds what it is sent.
contract Desk {
    struct Order {
        address maker;
        int256 delta;
        string note;
    }

    event Placed(uint256 indexed id, string indexed topic, Order order, bytes32[] tags, bool live);

    error Closed(uint256 id, address by);

    function place(uint256 id, string calldata topic, Order calldata order, bytes32[] calldata tags) external {
        emit Placed(id, topic, order, tags, true);
    }

    function close(uint256 id) external view {
        revert Closed(id, msg.sender);
    }

    function pay(address payable to, uint256 amount) external {
        to.transfer(amount);
    }

    receive() external payable {}
}
