// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Whose signatures a bridge accepts.
contract WitnessList is Ownable {
    address[] private witnesses;

    event WitnessAdded(address indexed witness);
    event WitnessRemoved(address indexed witness);

    constructor() Ownable(msg.sender) {}

    function count() external view returns (uint256) {
        return witnesses.length;
    }

    function addWitness(address witness) external onlyOwner {
        witnesses.push(witness);
        emit WitnessAdded(witness);
    }
}

/// Keeps what a bridge locked. A message of the receiver takes it out.
contract TokenPortal {
    address public owner;
    address public receiver;
    mapping(address => uint256) public balanceOf;

    event Locked(address indexed token, address indexed from, address indexed to, uint256 amount);
    event Unlocked(address indexed token, address indexed from, address indexed to, uint256 amount);
    event ReceiverSet(address receiver);

    constructor() {
        (owner, receiver) = (msg.sender, msg.sender);
    }

    function lock(IERC20 token, uint256 amount, address to) external {
        balanceOf[address(token)] += amount;
        token.transferFrom(msg.sender, address(this), amount);
        emit Locked(address(token), msg.sender, to, amount);
    }

    /// It trusts messages without a check of their sender.
    function expressExecute(IERC20 token, address to, uint256 amount) external {
        balanceOf[address(token)] -= amount;
        token.transfer(to, amount);
        emit Unlocked(address(token), msg.sender, to, amount);
    }

    function transferOwnership(address next) external {
        owner = next;
    }
}
