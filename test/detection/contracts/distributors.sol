// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Pays rewards for staked tokens at a rate that its distributor sets every week, like those of Synthetix.
contract StakingRewards is Ownable {
    IERC20 public rewardsToken;
    IERC20 public stakingToken;
    address public rewardsDistribution;
    uint256 public rewardRate;
    uint256 public periodFinish;
    uint256 public rewardsDuration = 7 days;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) private paidAt;

    event RewardAdded(uint256 reward);
    event Staked(address indexed user, uint256 amount);
    event Withdrawn(address indexed user, uint256 amount);
    event RewardPaid(address indexed user, uint256 reward);
    event RewardsDurationUpdated(uint256 newDuration);
    event Recovered(address token, uint256 amount);

    constructor(IERC20 rewards, IERC20 staking) Ownable(msg.sender) {
        (rewardsToken, stakingToken, rewardsDistribution) = (rewards, staking, msg.sender);
    }

    function stake(uint256 amount) external {
        getReward();
        (balanceOf[msg.sender], totalSupply) = (balanceOf[msg.sender] + amount, totalSupply + amount);
        stakingToken.transferFrom(msg.sender, address(this), amount);
        emit Staked(msg.sender, amount);
    }

    function withdraw(uint256 amount) external {
        getReward();
        (balanceOf[msg.sender], totalSupply) = (balanceOf[msg.sender] - amount, totalSupply - amount);
        stakingToken.transfer(msg.sender, amount);
        emit Withdrawn(msg.sender, amount);
    }

    function getReward() public {
        uint256 since = paidAt[msg.sender];
        paidAt[msg.sender] = block.timestamp;
        if (since == 0 || totalSupply == 0) return;
        uint256 reward = ((block.timestamp - since) * rewardRate * balanceOf[msg.sender]) / totalSupply;
        if (reward == 0) return;
        rewardsToken.transfer(msg.sender, reward);
        emit RewardPaid(msg.sender, reward);
    }

    function notifyRewardAmount(uint256 reward) external {
        require(msg.sender == rewardsDistribution, "not the distributor");
        rewardRate = reward / rewardsDuration;
        periodFinish = block.timestamp + rewardsDuration;
        emit RewardAdded(reward);
    }

    function setRewardsDistribution(address next) external onlyOwner {
        rewardsDistribution = next;
    }

    function recoverERC20(IERC20 token, uint256 amount) external onlyOwner {
        token.transfer(owner(), amount);
        emit Recovered(address(token), amount);
    }

    function setRewardsDuration(uint256 next) external onlyOwner {
        rewardsDuration = next;
        emit RewardsDurationUpdated(next);
    }
}

/// Locks liquidity tokens of many projects; its migration does not check whose they are.
contract LiquidityLocker is Ownable {
    uint256 private nextId;

    event Deposit(uint256 indexed id, address indexed tokenAddress, address indexed withdrawalAddress, uint256 amount, uint256 unlockTime);
    event LogWithdrawal(uint256 indexed id, address indexed tokenAddress, uint256 amount);
    event LockDurationExtended(uint256 indexed id, uint256 unlockTime);
    event LiquidityMigrated(address indexed migrator, uint256 indexed id, uint256 newTokenId);

    constructor() Ownable(msg.sender) {}

    function lockToken(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        emit Deposit(++nextId, address(token), msg.sender, amount, block.timestamp + 365 days);
    }

    function withdrawTokens(IERC20 token, uint256 id, uint256 amount) external {
        token.transfer(msg.sender, amount);
        emit LogWithdrawal(id, address(token), amount);
    }

    function extendLockDuration(uint256 id) external {
        emit LockDurationExtended(id, block.timestamp + 365 days);
    }

    function migrate(IERC20 token, uint256 id, uint256 amount) external {
        token.transfer(msg.sender, amount);
        emit LiquidityMigrated(msg.sender, id, id + 1);
    }
}

/// Pays out what a tree of claims holds, whose root its operator publishes every week.
contract RootDistributor is Ownable {
    IERC20 public token;
    bytes32 public merkleRoot;
    uint256 public currentCycle;
    uint256 public lastPublishTimestamp;

    event RootUpdated(uint256 indexed cycle, bytes32 indexed root, bytes32 contentHash);
    event Claimed(address indexed user, address indexed token, uint256 amount, uint256 indexed cycle);

    constructor(IERC20 token_) Ownable(msg.sender) {
        token = token_;
    }

    function publishRoot(bytes32 root) external onlyOwner {
        (merkleRoot, currentCycle, lastPublishTimestamp) = (root, currentCycle + 1, block.timestamp);
        emit RootUpdated(currentCycle, root, keccak256(abi.encode(root)));
    }

    function claim(uint256 amount) external {
        token.transfer(msg.sender, amount);
        emit Claimed(msg.sender, address(token), amount, currentCycle);
    }
}
