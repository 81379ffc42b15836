// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {ProxyAdmin} from "@openzeppelin/contracts/proxy/transparent/ProxyAdmin.sol";

contract SharedBeacon is UpgradeableBeacon {
    constructor(address code) UpgradeableBeacon(code, msg.sender) {}
}

contract BehindBeacon is BeaconProxy {
    constructor(address beacon) BeaconProxy(beacon, "") {}
}

contract BehindAdmin is TransparentUpgradeableProxy {
    constructor(address code, address owner) TransparentUpgradeableProxy(code, owner, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
    }
}

contract AdminOfProxy is ProxyAdmin {
    constructor() ProxyAdmin(msg.sender) {}
}

/// What runs behind the proxies.
contract Locker {
    event Stored(address indexed from, uint256 amount);

    function store(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        emit Stored(msg.sender, amount);
    }
}

contract LockerThatPays {
    function take(IERC20 token, address to, uint256 amount) external {
        token.transfer(to, amount);
    }
}

/// A proxy that keeps its code in a slot of its own and names it by a function of its own.
contract RoutedProxy {
    bytes32 private constant place = keccak256("routed.proxy.logic");
    event LogicChanged(address indexed from, address indexed to);

    constructor(address code) {
        bytes32 slot = place;
        assembly {
            sstore(slot, code)
        }
    }

    function logic() public view returns (address code) {
        bytes32 slot = place;
        assembly {
            code := sload(slot)
        }
    }

    function changeLogic(address code) external {
        emit LogicChanged(logic(), code);
        bytes32 slot = place;
        assembly {
            sstore(slot, code)
        }
    }

    fallback() external payable {
        address code = logic();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// The multisig wallet from before Safe, with other names.
contract CompanyWallet {
    address[] private members;
    uint256 public required;

    event Confirmation(address indexed sender, uint256 indexed transactionId);
    event Execution(uint256 indexed transactionId);
    event ExecutionFailure(uint256 indexed transactionId);
    event OwnerAddition(address indexed owner);
    event RequirementChange(uint256 required);
    event Deposit(address indexed sender, uint256 value);

    constructor(address[] memory owners, uint256 required_) {
        (members, required) = (owners, required_);
    }

    function getOwners() external view returns (address[] memory) {
        return members;
    }

    function addOwner(address owner) external {
        members.push(owner);
        emit OwnerAddition(owner);
    }

    function changeRequirement(uint256 next) external {
        required = next;
        emit RequirementChange(next);
    }

    function submitTransaction(address to, uint256 value, bytes calldata data) external {
        (bool done, ) = to.call{value: value}(data);
        if (done) emit Execution(1);
        else emit ExecutionFailure(1);
    }

    receive() external payable {
        emit Deposit(msg.sender, msg.value);
    }
}

/// A governor like Compound's Bravo; votes do not matter here.
contract BravoGovernor {
    address public admin;
    uint256 public votingDelay = 13140;
    uint256 public votingPeriod = 19710;
    uint256 public proposalThreshold = 65000e18;
    uint256 public proposalCount;

    event ProposalCreated(uint256 id, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 startBlock, uint256 endBlock, string description);
    event ProposalQueued(uint256 id, uint256 eta);
    event ProposalExecuted(uint256 id);
    event NewAdmin(address oldAdmin, address newAdmin);
    event VotingPeriodSet(uint256 oldVotingPeriod, uint256 newVotingPeriod);
    event WhitelistGuardianSet(address oldGuardian, address newGuardian);

    constructor() {
        admin = msg.sender;
    }

    function propose(address[] memory targets, uint256[] memory values, string[] memory signatures, bytes[] memory datas, string memory description) external {
        emit ProposalCreated(++proposalCount, msg.sender, targets, values, signatures, datas, block.number, block.number + votingPeriod, description);
    }

    function execute(uint256 id) external {
        emit ProposalExecuted(id);
    }

    function _setVotingPeriod(uint256 next) external {
        emit VotingPeriodSet(votingPeriod, next);
        votingPeriod = next;
    }

    function _setWhitelistGuardian(address next) external {
        emit WhitelistGuardianSet(address(0), next);
    }

    function _acceptAdmin() external {
        emit NewAdmin(admin, msg.sender);
        admin = msg.sender;
    }
}

/// A token with taxes and a list of blocked holders; its minter is named without an event.
contract TaxedToken is ERC20 {
    address public owner;
    address public minter;
    uint256 public buyTax = 1;
    uint256 public sellTax = 1;
    mapping(address => bool) public isBlocked;

    event TaxesUpdated(uint256 buyTax, uint256 sellTax);
    event HolderBlocked(address indexed holder, bool isBlocked);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    constructor(uint256 supply) ERC20("Taxed", "TAX") {
        (owner, minter) = (msg.sender, msg.sender);
        _mint(msg.sender, supply);
    }

    function appoint(address next) external {
        minter = next;
    }

    function create(address to, uint256 amount) external {
        require(msg.sender == minter, "not the minter");
        _mint(to, amount);
    }

    function setTaxes(uint256 buy, uint256 sell) external {
        (buyTax, sellTax) = (buy, sell);
        emit TaxesUpdated(buy, sell);
    }

    function setBlocked(address holder, bool state) external {
        isBlocked[holder] = state;
        emit HolderBlocked(holder, state);
    }

    function renounceOwnership() external {
        emit OwnershipTransferred(owner, address(0));
        owner = address(0);
    }
}

/// A price feed without events and without earlier rounds.
contract PushedFeed {
    int256 private answer;
    uint256 private updated;
    uint80 private round;
    address public updater;

    constructor(int256 first) {
        (answer, updated, round, updater) = (first, block.timestamp, 1, msg.sender);
    }

    function decimals() external pure returns (uint8) {
        return 8;
    }

    function description() external pure returns (string memory) {
        return "GEM / USD";
    }

    function submit(int256 next) external {
        (answer, updated, round) = (next, block.timestamp, round + 1);
    }

    function appointUpdater(address next) external {
        updater = next;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (round, answer, updated, updated, round);
    }
}
