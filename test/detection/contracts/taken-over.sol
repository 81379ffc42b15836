// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AToken, Comptroller} from "lending.sol";

/// A token behind a proxy that stands for staked coins.
contract StakedCoin {
    string public constant name = "Ankr Reward Bearing BNB";
    string public constant symbol = "aBNBc";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function start(address to, uint256 amount) external {
        require(totalSupply == 0, "started");
        mintTo(to, amount);
    }

    function mintTo(address to, uint256 amount) internal {
        (totalSupply, balanceOf[to]) = (totalSupply + amount, balanceOf[to] + amount);
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return move(from, to, amount);
    }

    function move(address from, address to, uint256 amount) private returns (bool) {
        (balanceOf[from], balanceOf[to]) = (balanceOf[from] - amount, balanceOf[to] + amount);
        emit Transfer(from, to, amount);
        return true;
    }
}

/// Its new code mints for anyone.
contract StakedCoinOpen is StakedCoin {
    function mint(address to, uint256 amount) external {
        mintTo(to, amount);
    }
}

/// Proves messages of another chain by roots; a message that was never proven has the root zero.
contract MessageReplica is Ownable {
    address public updater;
    bytes32 public committedRoot;
    uint256 public optimisticSeconds;
    mapping(bytes32 => uint256) public confirmAt;

    event Update(uint32 indexed homeDomain, bytes32 indexed oldRoot, bytes32 indexed newRoot, bytes signature);
    event Process(bytes32 indexed messageHash, bool indexed success, bytes indexed returnData);
    event SetConfirmation(bytes32 indexed root, uint256 previousConfirmAt, uint256 newConfirmAt);
    event NewUpdater(address oldUpdater, address newUpdater);
    event SetOptimisticTimeout(uint256 timeout);

    constructor() Ownable(msg.sender) {}

    function initialize(address updater_, bytes32 root) external {
        (updater, committedRoot, optimisticSeconds) = (updater_, root, 1800);
        confirmAt[root] = 1;
    }

    function update(bytes32 root) external {
        emit Update(6648936, committedRoot, root, "");
        (committedRoot, confirmAt[root]) = (root, block.timestamp);
    }

    function setConfirmation(bytes32 root, uint256 at) external onlyOwner {
        emit SetConfirmation(root, confirmAt[root], at);
        confirmAt[root] = at;
    }

    function process(MessageRouter router, IERC20 token, address to, uint256 amount) external {
        emit Process(keccak256(abi.encode(to, amount, block.number)), true, "");
        router.handle(token, to, amount);
    }
}

/// Holds the tokens that went to the other chain.
contract MessageRouter {
    event Send(address indexed token, address indexed from, uint32 indexed toDomain, bytes32 toId, uint256 amount, bool fastLiquidityEnabled);
    event Receive(uint64 indexed originAndNonce, address indexed token, address indexed recipient, address liquidityProvider, uint256 amount);

    uint64 private received;

    function send(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        emit Send(address(token), msg.sender, 6648936, 0, amount, false);
    }

    function handle(IERC20 token, address to, uint256 amount) external {
        token.transfer(to, amount);
        emit Receive(++received, address(token), to, address(0), amount);
    }
}

/// Names the contracts of a lending market; its owner can replace each of them.
contract MarketProvider is Ownable {
    address private pool;

    event LendingPoolUpdated(address indexed newAddress);
    event ConfigurationAdminUpdated(address indexed newAddress);

    constructor(address first) Ownable(msg.sender) {
        pool = first;
    }

    function getLendingPool() external view returns (address) {
        return pool;
    }

    function setLendingPoolImpl(address next) external onlyOwner {
        pool = next;
        emit LendingPoolUpdated(next);
    }
}

/// The deposit token of that market, which holds the asset, and the code that takes it.
contract DepositToken is AToken {
    constructor(address asset) AToken(asset, msg.sender) {}
}

contract DepositTokenThatPays is DepositToken {
    constructor(address asset) DepositToken(asset) {}

    function sweep(IERC20 token, address to) external {
        token.transfer(to, token.balanceOf(address(this)));
    }
}

/// Lists markets of new collateral.
contract ListingComptroller is Comptroller {
    function _supportMarket(address market) external {
        emit MarketListed(market);
    }
}

/// Stores the prices of a market for perpetual contracts; it trusts whoever forwards a call.
contract PriceStore is Ownable {
    mapping(bytes32 => uint256) public prices;

    event PriceUpdated(bytes32 indexed productId, uint256 price);

    constructor() Ownable(msg.sender) {}

    function setPrice(bytes32 product, uint256 price) external {
        prices[product] = price;
        emit PriceUpdated(product, price);
    }
}

/// Pays the profits of traders out of the deposits of all.
contract PerpetualVault is Ownable {
    IERC20 public stakeToken;
    uint256 private positions;

    event NewPosition(uint256 indexed positionId, address indexed user, uint256 margin, uint256 leverage);
    event ClosePosition(uint256 indexed positionId, address indexed user, uint256 price, int256 pnl, uint256 paid);

    constructor(IERC20 token) Ownable(msg.sender) {
        stakeToken = token;
    }

    function openPosition(uint256 margin) external {
        stakeToken.transferFrom(msg.sender, address(this), margin);
        emit NewPosition(++positions, msg.sender, margin, 10);
    }

    function closePosition(uint256 id, uint256 paid) external {
        stakeToken.transfer(msg.sender, paid);
        emit ClosePosition(id, msg.sender, 0, 0, paid);
    }
}
