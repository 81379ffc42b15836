// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// The price source of a feed like Chainlink's.
contract Aggregator {
    uint8 public constant decimals = 8;
    uint80 public latestRound;
    mapping(uint80 => int256) private answers;
    mapping(uint80 => uint256) private times;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);
    event NewRound(uint256 indexed roundId, address indexed startedBy, uint256 startedAt);

    function push(int256 answer, uint256 time) public {
        latestRound += 1;
        (answers[latestRound], times[latestRound]) = (answer, time);
        emit NewRound(latestRound, msg.sender, time);
        emit AnswerUpdated(answer, latestRound, time);
    }

    function transmit(int256 answer) external {
        push(answer, block.timestamp);
    }

    function getRoundData(uint80 round) public view returns (uint80, int256, uint256, uint256, uint80) {
        require(times[round] > 0, "No data present");
        return (round, answers[round], times[round], times[round], round);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return getRoundData(latestRound);
    }
}

/// The address of a feed that other contracts read.
contract PriceFeed is Ownable {
    Aggregator public aggregator;
    string public description;
    uint16 public phaseId = 1;

    constructor(Aggregator first, string memory pair) Ownable(msg.sender) {
        (aggregator, description) = (first, pair);
    }

    function confirmAggregator(Aggregator next) external onlyOwner {
        aggregator = next;
    }

    function decimals() external view returns (uint8) {
        return aggregator.decimals();
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        (uint80 round, int256 answer, uint256 started, uint256 updated, ) = aggregator.latestRoundData();
        uint80 id = (uint80(phaseId) << 64) | round;
        return (id, answer, started, updated, id);
    }

    function getRoundData(uint80 id) external view returns (uint80, int256, uint256, uint256, uint80) {
        (, int256 answer, uint256 started, uint256 updated, ) = aggregator.getRoundData(uint80(uint64(id)));
        return (id, answer, started, updated, id);
    }
}

/// A multisig like Safe; signatures are not checked.
contract Safe {
    address private singleton;
    address[] private owners;
    uint256 private threshold;
    uint256 public nonce;

    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment);
    event ExecutionFailure(bytes32 indexed txHash, uint256 payment);
    event ExecutionFromModuleSuccess(address indexed module);
    event SafeReceived(address indexed sender, uint256 value);
    event AddedOwner(address indexed owner);
    event ChangedThreshold(uint256 threshold);
    event EnabledModule(address indexed module);
    event ChangedGuard(address indexed guard);

    function VERSION() external pure returns (string memory) {
        return "1.4.1";
    }

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

    function execTransaction(address to, uint256 value, bytes calldata data, uint8 operation) external {
        (bool done, ) = operation == 1 ? to.delegatecall(data) : to.call{value: value}(data);
        nonce++;
        if (done) emit ExecutionSuccess(keccak256(data), 0);
        else emit ExecutionFailure(keccak256(data), 0);
    }

    function execTransactionFromModule(address to, uint256 value, bytes calldata data) external {
        (bool done, ) = to.call{value: value}(data);
        require(done, "failed");
        emit ExecutionFromModuleSuccess(msg.sender);
    }

    function enableModule(address module) external {
        emit EnabledModule(module);
    }

    function setGuard(address guard) external {
        emit ChangedGuard(guard);
    }

    function addOwnerWithThreshold(address owner, uint256 next) external {
        owners.push(owner);
        emit AddedOwner(owner);
        if (next != threshold) emit ChangedThreshold(next);
        threshold = next;
    }

    receive() external payable {
        emit SafeReceived(msg.sender, msg.value);
    }
}

contract SafeProxy {
    address private singleton;

    constructor(address code, bytes memory data) {
        singleton = code;
        (bool done, ) = code.delegatecall(data);
        require(done, "not set up");
    }

    fallback() external payable {
        address code = singleton;
        if (msg.sig == 0xa619486e) {
            assembly {
                mstore(0, code)
                return(0, 32)
            }
        }
        (bool done, bytes memory data) = code.delegatecall(msg.data);
        assembly {
            switch done
            case 0 { revert(add(data, 32), mload(data)) }
            default { return(add(data, 32), mload(data)) }
        }
    }
}

/// What the attackers of Bybit had the owners call: it replaces the first slot.
contract SlotWriter {
    address private first;

    function transfer(address next, uint256) external {
        first = next;
    }
}

contract Sweeper {
    address private singleton;

    function sweepERC20(IERC20 token, address to) external {
        token.transfer(to, token.balanceOf(address(this)));
    }

    function sweepETH(address payable to) external {
        to.transfer(address(this).balance);
    }
}

/// A proxy with several implementations.
contract Diamond {
    struct FacetCut {
        address facetAddress;
        uint8 action;
        bytes4[] functionSelectors;
    }

    event DiamondCut(FacetCut[] _diamondCut, address _init, bytes _calldata);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    address[] private list;
    mapping(bytes4 => address) private facetOf;
    address public owner;

    constructor() {
        owner = msg.sender;
    }

    function facetAddresses() external view returns (address[] memory) {
        return list;
    }

    function diamondCut(FacetCut[] calldata cuts, address init, bytes calldata data) external {
        for (uint256 at = 0; at < cuts.length; at++) {
            list.push(cuts[at].facetAddress);
            for (uint256 one = 0; one < cuts[at].functionSelectors.length; one++)
                facetOf[cuts[at].functionSelectors[one]] = cuts[at].facetAddress;
        }
        emit DiamondCut(cuts, init, data);
        if (init != address(0)) {
            (bool done, ) = init.delegatecall(data);
            require(done, "not initialised");
        }
    }

    fallback() external payable {
        address facet = facetOf[msg.sig];
        require(facet != address(0), "no such function");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

contract DepositFacet {
    event Deposited(address indexed account, address token, uint256 amount);

    function deposit(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        emit Deposited(msg.sender, address(token), amount);
    }
}

contract DrainFacet {
    function drain(IERC20 token, address to) external {
        token.transfer(to, token.balanceOf(address(this)));
    }
}

/// A timelock like Compound's.
contract CompoundTimelock {
    address public admin;
    address public pendingAdmin;
    uint256 public delay;
    uint256 public constant GRACE_PERIOD = 14 days;
    uint256 public constant MINIMUM_DELAY = 1 hours;

    event NewAdmin(address indexed newAdmin);
    event NewDelay(uint256 indexed newDelay);
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);

    constructor(uint256 delay_) {
        (admin, delay) = (msg.sender, delay_);
    }

    function setDelay(uint256 next) external {
        delay = next;
        emit NewDelay(next);
    }

    function queueTransaction(address target, uint256 value, string calldata signature, bytes calldata data, uint256 eta) external {
        emit QueueTransaction(keccak256(abi.encode(target, value, signature, data, eta)), target, value, signature, data, eta);
    }

    function acceptAdmin() external {
        admin = msg.sender;
        emit NewAdmin(msg.sender);
    }
}

/// Holds what is locked on this side of a bridge; its validators sign releases.
contract LockBridge is UUPSUpgradeable {
    event Deposit(address indexed sender, address indexed token, uint256 amount, uint256 nonce);
    event Withdrawal(address indexed receiver, address indexed token, uint256 amount, uint256 nonce);
    event ValidatorAdded(address indexed validator);
    event ValidatorRemoved(address indexed validator);
    event ThresholdChanged(uint256 threshold);
    event Paused(address account);
    event Unpaused(address account);

    mapping(address => bool) public isValidator;
    uint256 public threshold;
    uint256 private nonce;
    bool public paused;
    address public owner;

    function initialize(uint256 threshold_) external {
        (threshold, owner) = (threshold_, msg.sender);
    }

    function deposit(IERC20 token, uint256 amount) external {
        require(!paused, "paused");
        token.transferFrom(msg.sender, address(this), amount);
        emit Deposit(msg.sender, address(token), amount, ++nonce);
    }

    function depositEther() external payable {
        emit Deposit(msg.sender, address(0), msg.value, ++nonce);
    }

    function withdraw(IERC20 token, address to, uint256 amount) external {
        require(!paused, "paused");
        token.transfer(to, amount);
        emit Withdrawal(to, address(token), amount, ++nonce);
    }

    function withdrawEther(address payable to, uint256 amount) external {
        to.transfer(amount);
        emit Withdrawal(to, address(0), amount, ++nonce);
    }

    function addValidator(address validator) external {
        isValidator[validator] = true;
        emit ValidatorAdded(validator);
    }

    function setThreshold(uint256 next) external {
        threshold = next;
        emit ThresholdChanged(next);
    }

    function setPaused(bool state) external {
        paused = state;
        if (state) emit Paused(msg.sender);
        else emit Unpaused(msg.sender);
    }

    /// Writes the slot of the implementation without an event, as a malicious call by delegation does.
    function corrupt(address code) external {
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, code)
        }
    }

    function _authorizeUpgrade(address) internal override {}
}

contract LockBridgeV2 is LockBridge {
    function version() external pure returns (uint256) {
        return 2;
    }
}

/// A proxy from before the standards: it names its code and emits its own event.
contract NamingProxy {
    address public implementation;
    address public proxyOwner;

    event ImplementationChanged(address code);

    constructor(address code) {
        (implementation, proxyOwner) = (code, msg.sender);
    }

    function setTarget(address code) external {
        implementation = code;
    }

    fallback() external payable {
        address code = implementation;
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
