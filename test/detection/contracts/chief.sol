// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Logs calls without a topic of the event, as the contracts of MakerDAO do.
contract CallNotes {
    event LogNote(bytes4 indexed sig, address indexed guy, bytes32 indexed foo, bytes32 bar, uint256 wad, bytes fax) anonymous;

    modifier note() {
        emit LogNote(msg.sig, msg.sender, 0, 0, 0, msg.data);
        _;
    }
}

/// Votes by locked tokens for the contract that governs, in the style of DSChief.
contract VoteChief is CallNotes {
    IERC20 public GOV;
    address public hat;
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public approvals;

    event Etch(bytes32 indexed slate);

    constructor(IERC20 token) {
        GOV = token;
    }

    function lock(uint256 amount) external note {
        GOV.transferFrom(msg.sender, address(this), amount);
        deposits[msg.sender] += amount;
    }

    function free(uint256 amount) external note {
        deposits[msg.sender] -= amount;
        GOV.transfer(msg.sender, amount);
    }

    function vote(address candidate) external note {
        approvals[candidate] += deposits[msg.sender];
        emit Etch(keccak256(abi.encode(candidate)));
    }

    function lift(address candidate) external note {
        require(approvals[candidate] > approvals[hat], "too few votes");
        hat = candidate;
    }
}

/// Executes what the governing contract has planned, after a delay, in the style of DSPause.
contract PlanPause is CallNotes {
    address public owner;
    address public authority;
    uint256 public delay;
    mapping(bytes32 => bool) public plans;

    event LogSetAuthority(address indexed authority);
    event LogSetOwner(address indexed owner);

    constructor(uint256 delay_, address authority_) {
        (delay, authority, owner) = (delay_, authority_, msg.sender);
    }

    function setDelay(uint256 next) external note {
        delay = next;
    }

    function plot(address target, bytes calldata data) external note {
        plans[keccak256(abi.encode(target, data))] = true;
    }

    function exec(address target, bytes calldata data) external note {
        require(plans[keccak256(abi.encode(target, data))], "not planned");
        (bool done, ) = target.call(data);
        require(done, "failed");
    }
}

/// A wallet of several owners from the time before Safe, whose library anyone can initialise again.
contract EarlyWallet {
    uint256 public m_required;
    uint256 public m_numOwners;
    uint256 public m_dailyLimit;
    uint256 public m_spentToday;
    uint256 public m_lastDay;
    address[] private m_owners;

    event Confirmation(address owner, bytes32 operation);
    event Revoke(address owner, bytes32 operation);
    event OwnerChanged(address oldOwner, address newOwner);
    event OwnerAdded(address newOwner);
    event OwnerRemoved(address oldOwner);
    event RequirementChanged(uint256 newRequirement);
    event Deposit(address _from, uint256 value);
    event SingleTransact(address owner, uint256 value, address to, bytes data, address created);
    event MultiTransact(address owner, bytes32 operation, uint256 value, address to, bytes data, address created);

    constructor(address[] memory owners, uint256 required, uint256 limit) payable {
        initWallet(owners, required, limit);
    }

    function initWallet(address[] memory owners, uint256 required, uint256 limit) public {
        (m_owners, m_numOwners, m_required, m_dailyLimit) = (owners, owners.length, required, limit);
        m_lastDay = block.timestamp / 1 days;
    }

    function getOwner(uint256 index) external view returns (address) {
        return m_owners[index];
    }

    function isOwner(address account) public view returns (bool) {
        for (uint256 at = 0; at < m_owners.length; at++) if (m_owners[at] == account) return true;
        return false;
    }

    function execute(address payable to, uint256 value, bytes calldata data) external {
        require(isOwner(msg.sender), "not an owner");
        m_spentToday += value;
        (bool done, ) = to.call{value: value}(data);
        require(done, "failed");
        emit SingleTransact(msg.sender, value, to, data, address(0));
    }

    receive() external payable {
        emit Deposit(msg.sender, msg.value);
    }
}
