// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";

/// A vault of no standard, with names of its own for deposits, shares and its controllers.
contract YieldSilo {
    IERC20 public want;
    address public governance;
    address public strategy;
    bool public halted;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;

    event Entered(address indexed account, uint256 amount, uint256 shares);
    event Left(address indexed account, uint256 amount, uint256 shares);
    event GovernanceMoved(address indexed from, address indexed to);
    event StrategyReplaced(address indexed from, address indexed to);
    event Halted();
    event Resumed();

    constructor(IERC20 token) {
        (want, governance) = (token, msg.sender);
    }

    function sharePrice() public view returns (uint256) {
        return totalShares == 0 ? 1e18 : (want.balanceOf(address(this)) * 1e18) / totalShares;
    }

    function enter(uint256 amount) external {
        require(!halted, "halted");
        uint256 shares = (amount * 1e18) / sharePrice();
        (sharesOf[msg.sender], totalShares) = (sharesOf[msg.sender] + shares, totalShares + shares);
        want.transferFrom(msg.sender, address(this), amount);
        emit Entered(msg.sender, amount, shares);
    }

    function leave(uint256 shares) external {
        require(!halted, "halted");
        uint256 amount = (shares * sharePrice()) / 1e18;
        (sharesOf[msg.sender], totalShares) = (sharesOf[msg.sender] - shares, totalShares - shares);
        want.transfer(msg.sender, amount);
        emit Left(msg.sender, amount, shares);
    }

    function moveGovernance(address to) external {
        emit GovernanceMoved(governance, to);
        governance = to;
    }

    function replaceStrategy(address to) external {
        emit StrategyReplaced(strategy, to);
        strategy = to;
    }

    function report(address to, uint256 amount) external {
        require(msg.sender == strategy, "not the strategy");
        want.transfer(to, amount);
    }

    function setHalted(bool state) external {
        halted = state;
        if (state) emit Halted();
        else emit Resumed();
    }
}

/// Locks assets for another chain; authorities sign what is unlocked.
contract GuardedGateway is AccessControlEnumerable {
    bytes32 public constant UNLOCKER = keccak256("UNLOCKER");
    mapping(address => bool) public isAuthority;
    uint8 public quorum = 5;

    event Locked(uint256 indexed chain, address indexed from, address token, uint256 amount);
    event Unlocked(bytes32 indexed message, address indexed to, address token, uint256 amount);
    event AuthorityWhitelisted(address indexed authority);
    event QuorumUpdated(uint8 quorum);

    constructor() {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _grantRole(UNLOCKER, msg.sender);
    }

    function lockForChain(uint256 chain, IERC20 token, uint256 amount) external payable {
        if (address(token) != address(0)) token.transferFrom(msg.sender, address(this), amount);
        emit Locked(chain, msg.sender, address(token), amount + msg.value);
    }

    function unlockFromChain(bytes32 message, IERC20 token, address payable to, uint256 amount) external onlyRole(UNLOCKER) {
        if (address(token) == address(0)) to.transfer(amount);
        else token.transfer(to, amount);
        emit Unlocked(message, to, address(token), amount);
    }

    /// A role that anyone can take, as after a wrong initialisation.
    function seize() external {
        _grantRole(UNLOCKER, msg.sender);
    }

    function whitelist(address authority) external {
        isAuthority[authority] = true;
        emit AuthorityWhitelisted(authority);
    }

    function setQuorum(uint8 next) external {
        quorum = next;
        emit QuorumUpdated(next);
    }
}

/// A lending market of no standard, with one asset and loans against a price.
contract LoanDesk {
    IERC20 public asset;
    address public oracle;
    uint256 public totalDeposited;
    uint256 public totalBorrowed;

    event Deposited(address indexed lender, uint256 amount);
    event Withdrawn(address indexed lender, uint256 amount);
    event LoanOpened(address indexed borrower, uint256 amount);
    event LoanRepaid(address indexed borrower, uint256 amount);
    event LoanLiquidated(address indexed borrower, address indexed liquidator, uint256 repaid, uint256 seized);
    event CollateralFactorUpdated(address indexed token, uint256 from, uint256 to);

    constructor(IERC20 token, address source) {
        (asset, oracle) = (token, source);
    }

    function deposit(uint256 amount) external {
        totalDeposited += amount;
        asset.transferFrom(msg.sender, address(this), amount);
        emit Deposited(msg.sender, amount);
    }

    function withdraw(uint256 amount) external {
        totalDeposited -= amount;
        asset.transfer(msg.sender, amount);
        emit Withdrawn(msg.sender, amount);
    }

    function borrow(uint256 amount) external {
        require(totalBorrowed + amount <= totalDeposited, "too much");
        totalBorrowed += amount;
        asset.transfer(msg.sender, amount);
        emit LoanOpened(msg.sender, amount);
    }

    function repay(uint256 amount) external {
        totalBorrowed -= amount;
        asset.transferFrom(msg.sender, address(this), amount);
        emit LoanRepaid(msg.sender, amount);
    }

    function liquidate(address borrower, uint256 repaid) external {
        emit LoanLiquidated(borrower, msg.sender, repaid, repaid);
    }

    /// Says nothing in the log.
    function pointTo(address source) external {
        oracle = source;
    }

    function setCollateralFactor(address token, uint256 to) external {
        emit CollateralFactorUpdated(token, 0.7e18, to);
    }
}

/// A stable pool in the style of early Vyper pools, whose shares are another token.
contract EarlyStablePool {
    address[2] private held;
    uint256[2] private amounts;
    address public owner;
    bool public is_killed;
    uint256 public fee = 4000000;
    uint256 public initial_A = 200;

    event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought);
    event NewAdmin(address indexed admin);
    event NewFee(uint256 fee, uint256 admin_fee);
    event RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time);

    constructor(address first, address second) {
        (held, owner) = ([first, second], msg.sender);
    }

    function coins(int128 index) external view returns (address) {
        return held[uint256(uint128(index))];
    }

    function balances(int128 index) external view returns (uint256) {
        return amounts[uint256(uint128(index))];
    }

    function A() external view returns (uint256) {
        return initial_A;
    }

    function get_virtual_price() external view returns (uint256) {
        return 1e18 + initial_A - 200;
    }

    function add_liquidity(uint256[2] calldata added) external {
        for (uint256 at = 0; at < 2; at++) {
            IERC20(held[at]).transferFrom(msg.sender, address(this), added[at]);
            amounts[at] += added[at];
        }
    }

    function exchange(int128 from, int128 to, uint256 sold, uint256 bought) external {
        require(!is_killed, "killed");
        (uint256 i, uint256 j) = (uint256(uint128(from)), uint256(uint128(to)));
        IERC20(held[i]).transferFrom(msg.sender, address(this), sold);
        IERC20(held[j]).transfer(msg.sender, bought);
        (amounts[i], amounts[j]) = (amounts[i] + sold, amounts[j] - bought);
        emit TokenExchange(msg.sender, from, sold, to, bought);
    }

    function apply_transfer_ownership(address next) external {
        owner = next;
        emit NewAdmin(next);
    }

    function apply_new_fee(uint256 next) external {
        fee = next;
        emit NewFee(next, next / 2);
    }

    function ramp_A(uint256 next) external {
        emit RampA(initial_A, next, block.timestamp, block.timestamp + 60);
        initial_A = next;
    }

    function kill_me(bool state) external {
        is_killed = state;
    }
}
