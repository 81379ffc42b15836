// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A farm in the style of MasterChef: its owner can name a contract that takes the deposits away.
contract Farm is Ownable {
    struct Pool {
        IERC20 lpToken;
        uint256 allocPoint;
    }

    Pool[] public poolInfo;
    mapping(uint256 => mapping(address => uint256)) public userInfo;
    address public devaddr;
    address public migrator;
    uint256 public rewardPerBlock = 4e18;
    uint256 public totalAllocPoint;

    event Deposit(address indexed user, uint256 indexed pid, uint256 amount);
    event Withdraw(address indexed user, uint256 indexed pid, uint256 amount);
    event UpdateEmissionRate(address indexed user, uint256 rate);

    constructor() Ownable(msg.sender) {
        devaddr = msg.sender;
    }

    function add(uint256 points, IERC20 token) external onlyOwner {
        poolInfo.push(Pool(token, points));
        totalAllocPoint += points;
    }

    function deposit(uint256 pid, uint256 amount) external {
        userInfo[pid][msg.sender] += amount;
        poolInfo[pid].lpToken.transferFrom(msg.sender, address(this), amount);
        emit Deposit(msg.sender, pid, amount);
    }

    function withdraw(uint256 pid, uint256 amount) external {
        userInfo[pid][msg.sender] -= amount;
        poolInfo[pid].lpToken.transfer(msg.sender, amount);
        emit Withdraw(msg.sender, pid, amount);
    }

    function updateEmissionRate(uint256 rate) external onlyOwner {
        rewardPerBlock = rate;
        emit UpdateEmissionRate(msg.sender, rate);
    }

    function setMigrator(address next) external onlyOwner {
        migrator = next;
    }

    function dev(address next) external {
        require(msg.sender == devaddr, "dev: wut?");
        devaddr = next;
    }

    function migrate(uint256 pid) external {
        IERC20 token = poolInfo[pid].lpToken;
        token.transfer(migrator, token.balanceOf(address(this)));
    }
}

/// Collects ether for validators, whose withdrawals go to the credentials that it names.
contract ValidatorPool is Ownable {
    bytes32 public withdrawalCredentials;
    address public rewardsVault;
    bool public stakingPaused;
    uint256 public bufferedEther;
    mapping(address => uint256) public sharesOf;

    event Submitted(address indexed sender, uint256 amount);
    event Unbuffered(uint256 amount);
    event WithdrawalCredentialsSet(bytes32 withdrawalCredentials);
    event StakingPaused();
    event StakingResumed();

    constructor(bytes32 credentials) Ownable(msg.sender) {
        (withdrawalCredentials, rewardsVault) = (credentials, msg.sender);
    }

    function submit() external payable {
        require(!stakingPaused, "paused");
        sharesOf[msg.sender] += msg.value;
        bufferedEther += msg.value;
        emit Submitted(msg.sender, msg.value);
    }

    function depositBufferedEther(address payable validators, uint256 amount) external onlyOwner {
        bufferedEther -= amount;
        validators.transfer(amount);
        emit Unbuffered(amount);
    }

    function setWithdrawalCredentials(bytes32 next) external onlyOwner {
        withdrawalCredentials = next;
        emit WithdrawalCredentialsSet(next);
    }

    function setRewardsVault(address next) external onlyOwner {
        rewardsVault = next;
    }

    function setStakingPaused(bool state) external onlyOwner {
        stakingPaused = state;
        if (state) emit StakingPaused();
        else emit StakingResumed();
    }
}

/// Staking behind a proxy that anyone can initialise again.
contract ReusedStaking {
    IERC20 public stakingToken;
    address private governanceAddress;
    bool private initialized;

    event Initialized(uint8 version);
    event Staked(address indexed user, uint256 amount, uint256 total, bytes data);
    event Unstaked(address indexed user, uint256 amount, uint256 total, bytes data);
    event Slashed(address indexed user, uint256 amount, uint256 total);

    mapping(address => uint256) private stakes;

    function initialize(IERC20 token, address governance) external {
        (stakingToken, governanceAddress, initialized) = (token, governance, true);
        emit Initialized(1);
    }

    function getGovernanceAddress() external view returns (address) {
        return governanceAddress;
    }

    function totalStakedFor(address account) external view returns (uint256) {
        return stakes[account];
    }

    function stake(uint256 amount) external {
        stakes[msg.sender] += amount;
        stakingToken.transferFrom(msg.sender, address(this), amount);
        emit Staked(msg.sender, amount, stakes[msg.sender], "");
    }

    function unstake(uint256 amount) external {
        stakes[msg.sender] -= amount;
        stakingToken.transfer(msg.sender, amount);
        emit Unstaked(msg.sender, amount, stakes[msg.sender], "");
    }

    function slash(uint256 amount, address to) external {
        require(msg.sender == governanceAddress, "only governance");
        stakingToken.transfer(to, amount);
        emit Slashed(to, amount, 0);
    }
}
