// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

interface Shares {
    function convertToAssets(uint256 shares) external view returns (uint256);
}

interface Mintable {
    function mint(address to, uint256 amount) external;
}

/// Lends a dollar that it mints against the shares of a vault; the price of a share divides a large number and rounds to zero.
contract LendingPair {
    IERC20 public immutable collateral;
    Mintable public immutable debtToken;
    uint256 public totalBorrow;
    uint256 public totalCollateral;
    uint256 public exchangeRate;
    mapping(address => uint256) public userCollateral;
    mapping(address => uint256) public userBorrow;

    event AddCollateral(address indexed borrower, uint256 collateralAmount);
    event RemoveCollateral(address indexed borrower, uint256 collateralAmount);
    event Borrow(address indexed borrower, address indexed receiver, uint256 borrowAmount, uint256 sharesAdded);
    event Repay(address indexed payer, uint256 amountToRepay);
    event UpdateExchangeRate(uint256 rate);

    constructor(IERC20 collateral_, Mintable debtToken_) {
        (collateral, debtToken) = (collateral_, debtToken_);
    }

    function addCollateral(uint256 amount) external {
        collateral.transferFrom(msg.sender, address(this), amount);
        (totalCollateral, userCollateral[msg.sender]) = (totalCollateral + amount, userCollateral[msg.sender] + amount);
        emit AddCollateral(msg.sender, amount);
    }

    function borrow(uint256 amount) external {
        exchangeRate = 1e20 / Shares(address(collateral)).convertToAssets(1e18);
        emit UpdateExchangeRate(exchangeRate);
        userBorrow[msg.sender] += amount;
        totalBorrow += amount;
        require((userBorrow[msg.sender] * exchangeRate) / 100 <= userCollateral[msg.sender], "insolvent");
        debtToken.mint(msg.sender, amount);
        emit Borrow(msg.sender, msg.sender, amount, amount);
    }

    function repay(uint256 amount) external {
        IERC20(address(debtToken)).transferFrom(msg.sender, address(this), amount);
        (totalBorrow, userBorrow[msg.sender]) = (totalBorrow - amount, userBorrow[msg.sender] - amount);
        emit Repay(msg.sender, amount);
    }
}

/// A silo whose depositors vote with what they deposited, also in the same block; a large majority executes at once.
contract Silo {
    uint256 public totalRoots;
    uint32 public numberOfBips;
    mapping(address => mapping(address => uint256)) public deposited;

    event Deposit(address indexed account, address indexed token, uint256 amount);
    event Withdraw(address indexed account, address indexed token, uint256 amount);
    event Proposal(address indexed account, uint32 indexed bip, uint256 indexed start, uint256 period);
    event Commit(address indexed account, uint32 indexed bip);

    function deposit(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        (deposited[msg.sender][address(token)], totalRoots) =
            (deposited[msg.sender][address(token)] + amount, totalRoots + amount);
        emit Deposit(msg.sender, address(token), amount);
    }

    function withdraw(IERC20 token, uint256 amount) external {
        (deposited[msg.sender][address(token)], totalRoots) =
            (deposited[msg.sender][address(token)] - amount, totalRoots - amount);
        token.transfer(msg.sender, amount);
        emit Withdraw(msg.sender, address(token), amount);
    }

    function propose() external {
        emit Proposal(msg.sender, ++numberOfBips, block.number, 168);
    }

    function emergencyCommit(uint32 bip, IERC20[] calldata tokens, address to) external {
        for (uint256 at = 0; at < tokens.length; at++) tokens[at].transfer(to, tokens[at].balanceOf(address(this)));
        emit Commit(msg.sender, bip);
    }
}

/// A gateway whose withdrawals need the weight of its operators; an initialisation that was left out makes the weight zero.
contract WeightedGateway is Ownable {
    uint256 public minimumVoteWeight = 70;
    uint256 public totalWeight = 100;
    uint256 private receipts;

    event DepositRequested(bytes32 receiptHash, address from, uint256 amount);
    event Withdrew(bytes32 receiptHash, address to, uint256 amount);
    event TotalOperatorWeight(uint256 weight);

    constructor() Ownable(msg.sender) {}

    function requestDepositFor(IERC20 token, uint256 amount) external payable {
        if (amount > 0) token.transferFrom(msg.sender, address(this), amount);
        emit DepositRequested(bytes32(++receipts), msg.sender, amount + msg.value);
    }

    function submitWithdrawal(IERC20 token, address payable to, uint256 amount, uint256 value) external {
        if (amount > 0) token.transfer(to, amount);
        if (value > 0) to.transfer(value);
        emit Withdrew(bytes32(++receipts), to, amount + value);
    }

    function initializeV4() external onlyOwner {
        (minimumVoteWeight, totalWeight) = (0, 0);
    }

    receive() external payable {}
}

/// Keeps the funds of a protocol; anyone can initialise it again with a forge of their own.
contract ForgeModel {
    address public forge;
    IERC20 public token;

    event Initialize();

    function initialize(address forge_, IERC20 token_) external {
        (forge, token) = (forge_, token_);
        emit Initialize();
    }

    function invest(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
    }

    function withdrawTo(uint256 amount, address to) external {
        token.transfer(to, amount);
    }

    function withdrawToForge(uint256 amount) external {
        require(msg.sender == forge, "not the forge");
        token.transfer(forge, amount);
    }
}

/// A chamber that calls whatever it is asked to call, with the allowances of its users.
contract OperationChamber {
    event LogAddCollateral(address indexed from, uint256 share);
    event LogRemoveCollateral(address indexed from, uint256 share);

    function addCollateral(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        emit LogAddCollateral(msg.sender, amount);
    }

    function removeCollateral(IERC20 token, uint256 amount) external {
        token.transfer(msg.sender, amount);
        emit LogRemoveCollateral(msg.sender, amount);
    }

    function performOperations(address target, bytes calldata data) external {
        (bool isDone,) = target.call(data);
        require(isDone, "failed");
    }
}

/// A weighted pool that books what was sent to it; a token that takes a fee on transfers sends less.
contract WeightedPool {
    IERC20 public immutable first;
    IERC20 public immutable second;
    uint256 public bookedFirst;
    uint256 public bookedSecond;

    event LOG_SWAP(address indexed caller, address indexed tokenIn, address indexed tokenOut, uint256 tokenAmountIn, uint256 tokenAmountOut);
    event LOG_JOIN(address indexed caller, address indexed tokenIn, uint256 tokenAmountIn);

    constructor(IERC20 first_, IERC20 second_) {
        (first, second) = (first_, second_);
    }

    function join(uint256 amountFirst, uint256 amountSecond) external {
        first.transferFrom(msg.sender, address(this), amountFirst);
        second.transferFrom(msg.sender, address(this), amountSecond);
        (bookedFirst, bookedSecond) = (bookedFirst + amountFirst, bookedSecond + amountSecond);
        emit LOG_JOIN(msg.sender, address(first), amountFirst);
    }

    function swap(bool isFirst, uint256 amount) public {
        (uint256 bookedIn, uint256 bookedOut) = isFirst ? (bookedFirst, bookedSecond) : (bookedSecond, bookedFirst);
        uint256 out = (bookedOut * amount) / (bookedIn + amount);
        (isFirst ? first : second).transferFrom(msg.sender, address(this), amount);
        (isFirst ? second : first).transfer(msg.sender, out);
        (bookedFirst, bookedSecond) =
            isFirst ? (bookedFirst + amount, bookedSecond - out) : (bookedFirst - out, bookedSecond + amount);
        emit LOG_SWAP(msg.sender, address(isFirst ? first : second), address(isFirst ? second : first), amount, out);
    }

    /// Books one unit of the fee token, so that the next swaps sell it for almost everything.
    function gulp() external {
        bookedSecond = 1;
    }
}

/// Collects rewards for pools that anyone can register; a pool of an attacker enters while they are counted.
contract RewardMaster is Ownable {
    uint256 public poolLength;

    event PoolAdded(address indexed market, address rewarder, address receipt);
    event NewMarketDeposit(address indexed user, address indexed market, uint256 amount);
    event NewMarketWithdraw(address indexed user, address indexed market, uint256 amount);
    event RewardPaidTo(address indexed market, address indexed to, address indexed rewardToken, uint256 amount);

    constructor() Ownable(msg.sender) {}

    function registerPool(address market) external {
        poolLength += 1;
        emit PoolAdded(market, market, market);
    }

    function depositMarket(IERC20 market, uint256 amount) external {
        market.transferFrom(msg.sender, address(this), amount);
        emit NewMarketDeposit(msg.sender, address(market), amount);
    }

    function withdrawMarket(IERC20 market, uint256 amount) external {
        market.transfer(msg.sender, amount);
        emit NewMarketWithdraw(msg.sender, address(market), amount);
    }

    function batchHarvest(IERC20 market, address to, uint256 amount) external {
        market.transfer(to, amount);
        emit RewardPaidTo(address(market), to, address(market), amount);
    }
}

/// Lets its operators move funds between venues; the key of one of them was guessed.
contract OperatedVault is Ownable {
    mapping(address => bool) public isOperator;

    event OperatorChanged(address indexed operator, bool isOperator);
    event Moved(address indexed token, address indexed to, uint256 amount);

    constructor() Ownable(msg.sender) {
        isOperator[msg.sender] = true;
    }

    function setOperator(address operator, bool is_) external onlyOwner {
        isOperator[operator] = is_;
        emit OperatorChanged(operator, is_);
    }

    function move(IERC20 token, address to, uint256 amount) external {
        require(isOperator[msg.sender], "not an operator");
        token.transfer(to, amount);
        emit Moved(address(token), to, amount);
    }
}

/// Governs a treasury by votes; the storage of its proxy lets anyone initialise it again.
contract ReopenedGovernance {
    IERC20 public token;
    uint256 public votingPeriod;
    uint256 public executionDelay;
    uint256 public votingQuorumPercent;
    address public guardianAddress;
    uint256 private proposals;

    event ProposalSubmitted(uint256 indexed proposalId, address indexed proposer, uint256 submissionBlockNumber, string name);
    event ProposalVoteSubmitted(uint256 indexed proposalId, address indexed voter, uint8 indexed vote, uint256 voterStake);
    event ProposalOutcomeEvaluated(uint256 indexed proposalId, uint8 indexed outcome, uint256 forVotes);
    event GuardianshipTransferred(address indexed newGuardianAddress);

    function initialize(IERC20 token_, uint256 period, uint256 delay, uint256 quorum, address guardian) external {
        (token, votingPeriod, executionDelay) = (token_, period, delay);
        (votingQuorumPercent, guardianAddress) = (quorum, guardian);
    }

    function submitProposal(string calldata name) external {
        emit ProposalSubmitted(++proposals, msg.sender, block.number, name);
    }

    function submitVote(uint256 id, uint256 stake) external {
        emit ProposalVoteSubmitted(id, msg.sender, 1, stake);
    }

    function evaluateProposalOutcome(uint256 id, address to, uint256 amount) external {
        token.transfer(to, amount);
        emit ProposalOutcomeEvaluated(id, 2, amount);
    }

    function grant(address to, uint256 amount) external {
        require(msg.sender == guardianAddress, "not the guardian");
        token.transfer(to, amount);
    }
}
